import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addLengthKeywords } from '../../../daemon/http/string-lengths.ts';

const ours = new Ajv();
addLengthKeywords(ours);
const plain = new Ajv();

test('the length of a text is still counted in characters, and the error is the same', () => {
  const units = fc.constantFrom('a', 'é', '語', '🙂', '\ud83d', '\ude42');
  const texts = fc.string({ unit: units, maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.nat(8), fc.constantFrom('minLength', 'maxLength'), (text, limit, keyword) => {
      const schema = { type: 'string', [keyword]: limit };
      const outcome = (ajv: Ajv) => {
        const validate = ajv.compile(schema);
        return [validate(text), validate.errors?.map((error) => ({ ...error, params: { ...error.params } }))];
      };
      expect(outcome(ours)).toEqual(outcome(plain));
    }),
    { numRuns: 300 },
  );
});
