import { collectItems } from '../cases/items.ts';
import { failed, passed, weak, type Finding, type Step, type Subject } from '../step.ts';

/** Pairs of sentences that mean the same. */
const PAIRS = [
  ['The physician treated her patient.', 'The doctor cared for a sick woman.'],
  ['A dog is sleeping on the sofa.', 'The puppy naps on the couch.'],
  ['The train to Paris was late.', 'The railway service to the French capital was delayed.'],
  ['He repaired the broken window.', 'The smashed glass pane was fixed by him.'],
  ['Water boils at one hundred degrees.', 'At 100 °C liquid water turns to steam.'],
  ['The court sentenced the thief.', 'A judge convicted the robber.'],
  ['She planted roses in the garden.', 'Flowers were grown in her yard.'],
  ['The company lost money this year.', 'The firm made a financial loss.'],
  ['Children were playing football.', 'The kids kicked a soccer ball.'],
  ['It will rain heavily tomorrow.', 'A downpour is forecast for the next day.'],
] as const;
const NEIGHBOURS_GOOD = 8;
const NORM_TOLERANCE = 0.01;
/** Batches are computed in a different order, so the last digits may differ. */
const SAME_LIKENESS = 0.999;

export const embedding: Step = {
  name: 'embeddings',
  applies: ({ runner, manifest }) => runner.embed !== undefined && manifest.tasks.includes('embed'),
  async run(subject, signal) {
    const texts = PAIRS.flat();
    const vectors = await embed(subject, texts, signal);
    const [alone] = await embed(subject, texts.slice(0, 1), signal);
    const unread = vectors.filter((vector) => vector.every((value) => value === 0)).length;
    if (unread > 0) return weak(`it knows no word of ${unread} of ${texts.length} plain English sentences`);
    const problem = problemOf(vectors, subject) ?? differenceOf(vectors[0], alone);
    if (problem !== undefined) return failed(problem);
    return neighboursOf(vectors, subject);
  },
};

function embed(subject: Subject, inputs: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
  return subject.withSlot(async ({ embed: run }) => {
    if (!run) throw new Error('The model does not embed');
    return collectItems(run({ inputs }, signal), signal);
  }, signal);
}

function problemOf(vectors: readonly Float32Array[], { manifest }: Subject): string | undefined {
  for (const vector of vectors) {
    const norm = Math.sqrt(product(vector, vector));
    if (!Number.isFinite(norm)) return 'a vector has a value that is not a number';
    if (Math.abs(norm - 1) > NORM_TOLERANCE) return `a vector has the length ${norm.toFixed(3)} instead of 1`;
  }
  const [first] = vectors;
  const promised = manifest.embedding?.dimensions || first?.length;
  if (first?.length !== promised)
    return `vectors have ${first?.length ?? 0} dimensions instead of ${promised ?? 0}`;
  const isConstant = vectors.slice(1).every((vector) => first && product(vector, first) > 1 - 1e-5);
  return isConstant ? 'every text has the same vector' : undefined;
}

function differenceOf(batched?: Float32Array, alone?: Float32Array): string | undefined {
  const likeness = batched && alone ? product(batched, alone) : 0;
  if (likeness >= SAME_LIKENESS) return undefined;
  return `a text gets a different vector in a batch than alone (cosine ${likeness.toFixed(3)})`;
}

function neighboursOf(vectors: readonly Float32Array[], { manifest }: Subject): Finding {
  const right = PAIRS.filter((_pair, index) => {
    const own = vectors[2 * index] as Float32Array;
    const likeness = PAIRS.map((_other, other) => product(own, vectors[2 * other + 1] as Float32Array));
    return likeness.indexOf(Math.max(...likeness)) === index;
  }).length;
  const pooling = manifest.embedding?.pooling;
  const how = `${vectors[0]?.length ?? 0} dimensions${pooling ? `, pooling ${pooling}` : ''}, unit length`;
  const message = `${how}; the nearest of ten sentences meant the same in ${right} of ${PAIRS.length} pairs`;
  const remark = `${vectors[0]?.length ?? 0} dimensions`;
  return right >= NEIGHBOURS_GOOD ? passed(message, remark) : weak(message, remark);
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
