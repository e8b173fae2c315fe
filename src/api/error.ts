import { Type, type Static } from './schema.ts';

export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        message: Type.String(),
        type: Type.String(),
        param: Type.Union([Type.String(), Type.Null()]),
        code: Type.Union([Type.String(), Type.Null()]),
      },
      { additionalProperties: true },
    ),
  },
  { $id: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;
