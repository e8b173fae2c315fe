import type { CaseResult, ModelResult, Sample } from './results.ts';
import type { RunDocument } from './run-document.ts';

/** A run as the XML that CI systems read: a suite for each model, a test case for each case. */
export function toJUnit({ models, started_at: startedAt }: RunDocument): string {
  const suites = models.map((model) => suiteOf(model, startedAt));
  const all = countsOf(models.flatMap(({ cases }) => cases));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'askd eval', ...all }, suites)}\n`;
}

function suiteOf({ model, cases }: ModelResult, startedAt: string): string {
  const attributes = {
    name: model,
    ...countsOf(cases),
    skipped: cases.filter(({ samples }) => samples.length === 0).length,
    // Without a fraction and a zone, as the schema requires.
    timestamp: startedAt.slice(0, 19),
  };
  return element(
    'testsuite',
    attributes,
    cases.map((each) => testCaseOf(each, model)),
  );
}

function testCaseOf(result: CaseResult, model: string): string {
  const { name, samples } = result;
  const [bad] = [...samples.filter(isFailed), ...samples.filter(isError)];
  const attributes = { classname: model, name, time: secondsOf([result]) };
  const parts =
    samples.length === 0 ? ['<skipped/>'] : bad ? [problemOf(result, bad), outputOf(bad)] : ([] as string[]);
  return element('testcase', attributes, parts);
}

function problemOf({ passed, samples }: CaseResult, bad: Sample): string {
  const message = `${passed} of ${samples.length} passed: ${reasonsOf(bad).join('; ')}`;
  const type = bad.error?.code ?? bad.checks.find(({ outcome }) => outcome !== 'passed')?.check ?? 'error';
  return element(isFailed(bad) ? 'failure' : 'error', { message, type }, [escape(reasonsOf(bad).join('\n'))]);
}

const outputOf = ({ text }: Sample) => element('system-out', {}, [escape(text)]);

/** Why a sample did not pass. */
export function reasonsOf({ error, checks }: Sample): string[] {
  if (error) return [error.message];
  return checks
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ check, reason, score }) =>
      check === 'judge' && score !== undefined ? `judged ${score}: ${reason}` : `${check}: ${reason}`,
    );
}

function countsOf(cases: readonly CaseResult[]) {
  return {
    tests: cases.length,
    failures: cases.filter(({ samples }) => samples.some(isFailed)).length,
    errors: cases.filter(({ samples }) => !samples.some(isFailed) && samples.some(isError)).length,
    time: secondsOf(cases),
  };
}

const isFailed = ({ outcome }: Sample) => outcome === 'failed';
const isError = ({ outcome }: Sample) => outcome === 'error';

function secondsOf(cases: readonly CaseResult[]): string {
  const ms = cases.flatMap(({ samples }) => samples).reduce((sum, { duration_ms: each }) => sum + each, 0);
  return (ms / 1000).toFixed(3);
}

function element(name: string, attributes: Record<string, string | number>, children: readonly string[]) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(String(value))}"`);
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join('')}</${name}>`;
}

/** What XML 1.0 does not allow, even as an entity. */
// eslint-disable-next-line no-control-regex -- control characters are what it matches
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const BREAKS: Readonly<Record<string, string>> = { '\n': '&#10;', '\r': '&#13;', '\t': '&#9;' };

function escape(text: string): string {
  return text
    .replace(UNWRITABLE, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    .replace(/[\n\r\t]/g, (character) => BREAKS[character] ?? '');
}
