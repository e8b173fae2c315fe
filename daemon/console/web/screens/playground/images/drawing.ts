import type { ImageEvent } from '../../../../../../src/api/tasks/images.ts';

export type Picture = {
  address: string;
  file: Blob;
  name: string;
  /** Only for a finished image; a preview has none. */
  seed?: number;
};

/** What the requests of one run have produced so far; the last may still be a preview. */
export type Drawing = { pictures: readonly Picture[]; progress?: { step: number; steps: number } };

export const BLANK: Drawing = { pictures: [] };

export function add(drawing: Drawing, event: ImageEvent): Drawing {
  const { pictures } = drawing;
  const finished = pictures.filter(({ seed }) => seed !== undefined);
  switch (event.type) {
    case 'image_generation.progress':
      return { ...drawing, progress: { step: event.step, steps: event.steps } };
    case 'image_generation.partial_image':
      releasePreview(pictures);
      return { ...drawing, pictures: [...finished, toPicture(event, 'preview')] };
    case 'image_generation.completed':
      releasePreview(pictures);
      return { pictures: [...finished, { ...toPicture(event, `image-${event.seed}`), seed: event.seed }] };
  }
}

export function releaseAll(drawing: Drawing | undefined): void {
  for (const { address } of drawing?.pictures ?? []) URL.revokeObjectURL(address);
}

function releasePreview(pictures: readonly Picture[]): void {
  const last = pictures.at(-1);
  if (last && last.seed === undefined) URL.revokeObjectURL(last.address);
}

type Encoded = { b64_json?: string; output_format: string };

function toPicture({ b64_json: encoded = '', output_format: format }: Encoded, name: string): Picture {
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const file = new Blob([bytes], { type: `image/${format}` });
  return { address: URL.createObjectURL(file), file, name: `${name}.${format}` };
}
