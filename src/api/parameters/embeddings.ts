import type { ParameterPolicy, Refusal } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

const writeItInFront: Refusal = {
  instead: 'Put the prefix that your model expects, such as "query: ", into the text itself.',
};
const alwaysNormalised: Refusal = {
  instead: 'Vectors are always normalized: omit it.',
  except: [true],
};
const neverTruncated: Refusal = {
  instead: 'Texts are never truncated: split long texts into several inputs.',
  except: [false, 'NONE'],
};

export const embeddingsPolicy: ParameterPolicy = {
  withoutEffect: [...PROVIDER_PARAMETERS, 'provider', 'priority'],
  refused: {
    input_type: writeItInFront,
    late_chunking: {
      instead: 'The vector of a text never depends on other texts: omit it.',
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
