import { version } from '../../base/version.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { checkEntry } from './entry.ts';
import { catalogInvalid, catalogTooNew } from './failures.ts';

/** What is signed. An unknown number of `schema` means entries that this version cannot read. */
export type Payload = {
  schema: number;
  /** The first version of askd that reads this schema. */
  needs: string;
  /** Increases with each published catalogue. */
  serial: number;
  /** Dates as YYYY-MM-DD. */
  issued: string;
  expires: string;
  models: ModelManifest[];
};

/** Increased, together with the version that first reads it, by a change that older versions would misread. */
export const SCHEMA = { number: 1, needs: '0.1.0' };

const MODELS_MAX = 1000;

export function parsePayload(text: string): Payload {
  try {
    const payload = JSON.parse(text) as Payload;
    const { schema, needs, serial, issued, expires } = payload;
    must(Number.isSafeInteger(schema), 'it has no schema');
    if (schema !== SCHEMA.number) throw catalogTooNew(String(needs), version);
    must(Number.isSafeInteger(serial) && serial > 0, 'it has no serial number');
    must([issued, expires].every(isDate), 'it has no dates');
    must(Array.isArray(payload.models) && payload.models.length > 0, 'it has no models');
    must(payload.models.length <= MODELS_MAX, `it has more than ${MODELS_MAX} models`);
    const models = payload.models.map(checkEntry);
    must(new Set(models.map(({ id }) => id)).size === models.length, 'a model is listed twice');
    return { schema, needs, serial, issued, expires, models };
  } catch (error) {
    if (error instanceof Error && error.name === 'Failure') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw catalogInvalid(`It is signed, but not valid: ${reason}`, error);
  }
}

function isDate(text: unknown): boolean {
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

function must(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
