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
        description: 'What the picture comes as: "url" when it is left out, and "b64_json" in a stream.',
      }),
    ),
    output_format: Type.Optional(Type.Enum([...IMAGE_FORMATS], { default: 'png' })),
    output_compression: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Quality of jpeg and webp; png loses nothing.' }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: IMAGE_SEED_MAX,
        description:
          'The same seed and request give the same picture. Chosen, and told, when it is left out.',
      }),
    ),
    steps: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: IMAGE_STEPS_MAX,
        description: 'More take longer and show more. The model has its own number.',
      }),
    ),
    negative_prompt: Type.Optional(
      Type.String({ maxLength: IMAGE_PROMPT_CHARACTERS_MAX, description: 'What it should not show.' }),
    ),
    stream: Type.Optional(
      Type.Boolean({ default: false, description: 'Server-sent events: each step, then the picture.' }),
    ),
    partial_images: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3,
        default: 0,
        description:
          'In a stream: drafts of the same seed with fewer steps, sent before the picture. They take time of their own.',
      }),
    ),
    quality: Type.Optional(
      Type.String({ description: 'There is one: it is accepted, and named in x-askd-ignored.' }),
    ),
    background: Type.Optional(
      Type.String({ description: 'Only "auto" and "opaque", which are what there is.' }),
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
    Type.String({ description: 'Whoever has this address can fetch the picture until it expires.' }),
  ),
  expires_at: Type.Optional(
    Type.Integer({ description: 'When the address expires, in seconds since 1970.' }),
  ),
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
  summary: 'Draw a picture of what a text says, in exactly the size that is asked for',
  tag: 'Images',
  access: 'chat',
  body: ImageRequest,
  policy: imagesPolicy,
  response: ImageResult,
  event: ImageEvent,
});

/** The address in a result. It needs no key: its signature, which ends with it, is enough. */
export const getImage = endpoint({
  method: 'GET',
  path: '/images/{name}',
  summary: 'A picture, by the signed address that came with it',
  tag: 'Images',
  access: 'public',
  query: Type.Object({ expires: Type.Integer(), signature: Type.String() }, { additionalProperties: false }),
  response: Type.Any(),
  produces: ['image/png', 'image/jpeg', 'image/webp'],
});
