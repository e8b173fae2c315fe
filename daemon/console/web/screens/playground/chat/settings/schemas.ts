/** Schemas to start from. */
export const SCHEMA_EXAMPLES: Readonly<Record<string, object>> = {
  Person: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer', minimum: 0 },
      languages: { type: 'array', items: { type: 'string' } },
    },
    required: ['name', 'age', 'languages'],
    additionalProperties: false,
  },
  Classification: {
    type: 'object',
    properties: {
      label: { enum: ['praise', 'question', 'complaint', 'other'] },
      confidence: { type: 'number', minimum: 0, maximum: 1 },
    },
    required: ['label', 'confidence'],
    additionalProperties: false,
  },
  'List of steps': {
    type: 'object',
    properties: {
      steps: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { title: { type: 'string' }, minutes: { type: 'integer' } },
          required: ['title', 'minutes'],
          additionalProperties: false,
        },
      },
    },
    required: ['steps'],
    additionalProperties: false,
  },
};
