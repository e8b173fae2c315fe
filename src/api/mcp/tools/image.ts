import { createImage, type CompletedImage } from '../../tasks/images.ts';
import { inputOf, SLOW, textResult, type Tool, type ToolCall, type ToolInput } from '../tool.ts';
import { absolutePath, SAVE_AS, saveNew } from './files.ts';

const MODEL = 'svc-image-v1';

export const image: Tool = {
  name: 'image',
  title: 'Draw an image',
  description:
    'Generates an image from a description and returns it with the seed that repeats it. It may take minutes.',
  access: createImage.access,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  input: ({ withUpload }) =>
    inputOf(
      createImage.body,
      ['prompt', 'model', 'size', 'seed', 'steps', 'negative_prompt', 'output_format'],
      {
        prompt: { description: 'What the image shows.' },
        model: { default: MODEL, description: `The model; ${MODEL} by default.` },
        ...(!withUpload && { save_as: SAVE_AS }),
      },
    ),
  async run({ save_as: place, ...input }, call) {
    const path = place === undefined ? undefined : absolutePath(place, 'save_as');
    const { b64_json: data = '', seed, size, output_format: format } = await draw(input, call);
    const facts = { seed, size, output_format: format };
    const caption = `${size}, ${format}, seed ${seed}`;
    if (path !== undefined) {
      await saveNew(path, Buffer.from(data, 'base64'));
      return textResult(`Saved as ${path} (${caption})`, { ...facts, path });
    }
    return {
      content: [
        { type: 'image', data, mimeType: `image/${format}` },
        { type: 'text', text: caption },
      ],
      structuredContent: facts,
    };
  },
};

async function draw(input: ToolInput, { http, signal, progress }: ToolCall): Promise<CompletedImage> {
  const body = { ...input, stream: true, response_format: 'b64_json' };
  for await (const event of http.stream(createImage, { body, signal, ...SLOW })) {
    if (event.type === 'image_generation.completed') return event;
    if (event.type === 'image_generation.progress') progress({ done: event.step, total: event.steps });
  }
  throw new Error('The stream of an image ended without it');
}
