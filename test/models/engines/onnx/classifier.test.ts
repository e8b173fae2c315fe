import { expect, test } from 'vitest';
import { onnx } from '../../../../models/engines/onnx.ts';
import { onnxClassifier, wordsOf } from '../../../helpers/models/text-models.ts';
import { openEncoder } from '../../encoder-contract.ts';

test('a short text does not wait for all of one long text', async () => {
  const { path } = await onnxClassifier({
    labels: { fish: ['fish'], fire: ['fire'] },
    problem: 'multi_label_classification',
  });
  await using session = await openEncoder(onnx, { path, tasks: ['moderate'] }, { contextTokens: 64 });
  const done: string[] = [];
  const classify = async (name: string, text: string) => {
    const results: unknown[] = [];
    for await (const event of session.classify?.({ inputs: [text] }, new AbortController().signal) ?? [])
      if (event.type === 'item') results.push(event.result);
    done.push(name);
    return results;
  };
  const [[long], [short]] = await Promise.all([
    classify('long', `${wordsOf(30_000)} fire`),
    classify('short', 'a fish'),
  ]);
  expect(done).toEqual(['short', 'long']);
  expect(long).toMatchObject({ fish: expect.closeTo(1, 1) as number, fire: expect.closeTo(1, 1) as number });
  expect(short).toMatchObject({ fish: expect.closeTo(1, 1) as number });
});
