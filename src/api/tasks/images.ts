import { Type, type Static } from '../schema.ts';
import { endpoint } from '../endpoint.ts';
import { imagesPolicy } from '../parameters/images.ts';
import {
  IMAGE_PROMPT_CHARACTERS_MAX,
  IMAGE_SEED_MAX,
  IMAGE_SIZES,
  IMAGE_STEPS_MAX,
} from '../account/limits.ts';

export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const;

export const ImageRequest = Type.Object(
  {
    model: Type.Optional(Type.String({ minLength: 1, default: 'svc-image-v1' })),
    prompt: Type.String({ minLength: 1, maxLength: IMAGE_PROMPT_CHARACTERS_MAX }),
    n: Type.Optional(Type.Literal(1, { default: 1 })),
    size: Type.Optional(
      Type.Enum([...IMAGE_SIZES, 'auto'], { default: '1024x1024', description: '"auto" is the default.' }),
    ),
    response_format: Type.Optional(
      Type.Enum(['url', 'b64_json'], {
        description: '"url" by default, "b64_json" in a stream.',
      }),
    ),
    output_format: Type.Optional(Type.Enum([...IMAGE_FORMATS], { default: 'png' })),
    output_compression: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Quality of jpeg and webp; png is lossless.' }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: IMAGE_SEED_MAX,
        description:
          'The same seed and request give the same image. When omitted, a random seed is chosen and returned.',
      }),
    ),
    steps: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: IMAGE_STEPS_MAX,
        description: 'Inference steps; more take longer and add detail. The default depends on the model.',
      }),
    ),
    negative_prompt: Type.Optional(
      Type.String({ maxLength: IMAGE_PROMPT_CHARACTERS_MAX, description: 'What the image should not show.' }),
    ),
    stream: Type.Optional(
      Type.Boolean({ default: false, description: 'Server-sent events: each step, then the image.' }),
    ),
    partial_images: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3,
        default: 0,
        description:
          'In a stream: previews with the same seed and fewer steps, sent before the image. They take extra time.',
      }),
    ),
    quality: Type.Optional(
      Type.String({ description: 'Accepted without effect, and named in x-askd-ignored.' }),
    ),
    background: Type.Optional(
      Type.String({ description: 'Only "auto" and "opaque": backgrounds are always opaque.' }),
    ),
    moderation: Type.Optional(Type.String({ description: 'Only "auto" and "low": nothing is moderated.' })),
    user: Type.Optional(Type.String()),
  },
  { $id: 'ImageRequest', additionalProperties: false },
);
export type ImageRequest = Static<typeof ImageRequest>;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

const Picture = {
  url: Type.Optional(
    Type.String({ description: 'Anyone with this URL can fetch the image until it expires.' }),
  ),
  expires_at: Type.Optional(Type.Integer({ description: 'When the URL expires, in seconds since 1970.' })),
  b64_json: Type.Optional(Type.String({ description: 'The bytes of the file in base64.' })),
};

const Look = {
  size: Type.String(),
  output_format: Type.String(),
  quality: Type.String(),
  background: Type.String(),
};

export const ImageResult = Type.Object(
  {
    created: Type.Integer(),
    data: Type.Array(Type.Object({ ...Picture, seed: Type.Integer() })),
    ...Look,
  },
  { $id: 'ImageResult' },
);
export type ImageResult = Static<typeof ImageResult>;

export const ImageProgress = Type.Object({
  type: Type.Literal('image_generation.progress'),
  step: Type.Integer(),
  steps: Type.Integer(),
});
export const PartialImage = Type.Object({
  type: Type.Literal('image_generation.partial_image'),
  partial_image_index: Type.Integer(),
  b64_json: Type.String(),
  created_at: Type.Integer(),
  ...Look,
});
export const CompletedImage = Type.Object({
  type: Type.Literal('image_generation.completed'),
  ...Picture,
  seed: Type.Integer(),
  created_at: Type.Integer(),
  ...Look,
});
export type CompletedImage = Static<typeof CompletedImage>;

export const ImageEvent = Type.Union([ImageProgress, PartialImage, CompletedImage], { $id: 'ImageEvent' });
export type ImageEvent = Static<typeof ImageEvent>;

export const createImage = endpoint({
  method: 'POST',
  path: '/v1/images/generations',
  summary: 'Generate an image from a prompt, in exactly the requested size',
  tag: 'Images',
  access: 'chat',
  body: ImageRequest,
  policy: imagesPolicy,
  response: ImageResult,
  event: ImageEvent,
});

/** The URL in a result. It needs no key: its signature is enough. */
export const getImage = endpoint({
  method: 'GET',
  path: '/images/{name}',
  summary: 'Get an image by its signed URL',
  tag: 'Images',
  access: 'public',
  query: Type.Object({ expires: Type.Integer(), signature: Type.String() }, { additionalProperties: false }),
  response: Type.Any(),
  produces: ['image/png', 'image/jpeg', 'image/webp'],
});
