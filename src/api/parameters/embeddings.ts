import type { ParameterPolicy, Refusal } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

const writeItInFront: Refusal = {
  instead: 'Write what your model wants in front of a text, such as "query: ", into the text itself.',
};
const alwaysNormalised: Refusal = {
  instead: 'Vectors always have the length 1: leave it out.',
  except: [true],
};
const neverTruncated: Refusal = {
  instead: 'No text is ever truncated: cut it, and send the parts as inputs of their own.',
  except: [false, 'NONE'],
};

export const embeddingsPolicy: ParameterPolicy = {
  withoutEffect: [...PROVIDER_PARAMETERS, 'provider', 'priority'],
  refused: {
    input_type: writeItInFront,
    late_chunking: {
      instead: 'Each text gets a vector that depends on it alone: leave it out.',
      except: [false],
    },
    normalize: alwaysNormalised,
    normalized: alwaysNormalised,
    prompt_name: writeItInFront,
    task: writeItInFront,
    truncate: neverTruncated,
    truncate_prompt_tokens: neverTruncated,
  },
};
