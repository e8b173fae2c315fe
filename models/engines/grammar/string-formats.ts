/** Days that every year has, so that every match is a date. */
const DATE = String.raw`\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[-+]([01]\d|2[0-3]):[0-5]\d)`;
const BYTE = String.raw`(25[0-5]|2[0-4]\d|1\d{2}|[1-9]?\d)`;
const LABEL = '[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?';
const HOST = String.raw`(${LABEL}\.){1,4}[a-z]{2,10}`;
const NAME = '[a-z0-9_+-]{1,30}';
const HEX = '[0-9a-f]{1,4}';

/** Eight groups, of which one run may be omitted. */
const IPV6 = [
  `(${HEX}:){7}${HEX}`,
  ...[1, 2, 3, 4, 5, 6].map((before) => `(${HEX}:){${before}}(:${HEX}){1,${7 - before}}`),
  `(${HEX}:){1,7}:`,
  `:(:${HEX}){1,7}`,
  '::',
].join('|');

const DAYS = String.raw`(\d{1,4}Y)?(\d{1,2}M)?(\d{1,3}D)?`;
const HOURS = String.raw`(T(?=\d)(\d{1,4}H)?(\d{1,4}M)?(\d{1,5}S)?)?`;

/** Regular expressions that match only strings of the format, but not all of them. */
const FORMATS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE}T${TIME}`,
  duration: String.raw`P(\d{1,4}W|(?=\d|T)${DAYS}${HOURS})`,
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
  ipv4: String.raw`${BYTE}(\.${BYTE}){3}`,
  ipv6: IPV6,
  hostname: HOST,
  email: String.raw`${NAME}(\.${NAME}){0,3}@${HOST}`,
  uri: String.raw`https?://${HOST}(/[a-zA-Z0-9._~-]{0,60}){0,8}(\?[a-zA-Z0-9._~=&-]{1,120})?`,
};
export const FORMAT_NAMES = Object.keys(FORMATS);

export function formatPattern(format: string): string | undefined {
  return Object.hasOwn(FORMATS, format) ? `^(?:${FORMATS[format]})$` : undefined;
}

/** Formats that JSON Schema defines, so that a pattern beside them does not replace them. */
export const REGISTERED_FORMATS: ReadonlySet<string> = new Set([
  ...FORMAT_NAMES,
  'idn-email',
  'idn-hostname',
  'iri',
  'iri-reference',
  'json-pointer',
  'regex',
  'relative-json-pointer',
  'uri-reference',
  'uri-template',
]);
