import { DOMParser } from 'linkedom';
import { expect, test } from 'vitest';
import { toJUnit } from '../../../../cli/tasks/eval/junit.ts';
import { toCaseResult, toModelResult, type ModelResult } from '../../../../cli/tasks/eval/results.ts';
import { HOSTILE_TEXTS } from '../../../helpers/hostile-texts.ts';
import { modelResult, sampleOf } from '../../../helpers/terminal/eval-results.ts';

/** What the schema of the Jenkins plugin for JUnit allows in an element: attributes, and children in this order. */
const SCHEMA: Readonly<Record<string, { attributes: string[]; required: string[]; children: string[] }>> = {
  testsuites: {
    attributes: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
    required: [],
    children: ['testsuite'],
  },
  testsuite: {
    attributes: ['name', 'tests', 'failures', 'errors', 'time', 'skipped', 'timestamp', 'hostname', 'id'],
    required: ['name', 'tests'],
    children: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    attributes: ['name', 'classname', 'time', 'assertions', 'status'],
    required: ['name'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { attributes: ['message', 'type'], required: [], children: [] },
  error: { attributes: ['message', 'type'], required: [], children: [] },
  skipped: { attributes: ['message'], required: [], children: [] },
  'system-out': { attributes: [], required: [], children: [] },
};

type Node = {
  localName: string;
  children: Iterable<Node>;
  attributes: Iterable<{ name: string }>;
  textContent: string;
  getAttribute: (name: string) => string | null;
  querySelectorAll: (selector: string) => Iterable<Node>;
};

const xmlOf = (models: ModelResult[]) =>
  toJUnit({
    ...{ schema: 'eval/1', file: 'cases.yaml', started_at: '2027-02-01T12:30:00.123Z', duration_ms: 5 },
    ...{ complete: true, seed: null, cost: null, models, differences: [] },
  });

const parse = (xml: string) =>
  new DOMParser().parseFromString(xml, 'text/xml').documentElement as unknown as Node;

function faultsOf(node: Node): string[] {
  const known = SCHEMA[node.localName];
  if (!known) return [`<${node.localName}> is unknown`];
  const names = [...node.attributes].map(({ name }) => name);
  const children = [...node.children];
  const order = children.map(({ localName }) => known.children.indexOf(localName));
  return [
    ...names.filter((name) => !known.attributes.includes(name)),
    ...known.required.filter((name) => !names.includes(name)),
    ...(order.includes(-1) || order.some((place, index) => place < (order[index - 1] ?? 0))
      ? [`children of <${node.localName}>`]
      : []),
    ...children.flatMap(faultsOf),
  ];
}

test('a run is a suite for each model, as the schema of CI systems has it', () => {
  const xml = xmlOf([
    modelResult('one', { a: 'pp', b: 'pf', c: 'pe', d: '' }),
    modelResult('two', { a: 'f' }),
  ]);
  const root = parse(xml);
  expect(root.localName).toBe('testsuites');
  expect(faultsOf(root)).toEqual([]);
  const suites = [...root.children].map((suite) =>
    ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp'].map((name) =>
      suite.getAttribute(name),
    ),
  );
  expect(suites).toEqual([
    ['one', '4', '1', '1', '1', '1.500', '2027-02-01T12:30:00'],
    ['two', '1', '1', '0', '0', '0.250', '2027-02-01T12:30:00'],
  ]);
  const [failure] = root.querySelectorAll('failure');
  expect([failure?.getAttribute('type'), failure?.getAttribute('message')]).toEqual([
    'contains',
    '1 of 2 passed: contains: An answer. is wrong',
  ]);
});

test('no text of a model breaks it', () => {
  const texts = [...HOSTILE_TEXTS, ']]>', '\u0000\u001b[31m\u0007', '\ud800', '"\'&<>\r\n\t', '\uffff'];
  const cases = texts.map((text, index) => toCaseResult(`${index} ${text}`, [sampleOf('failed', text)]));
  const xml = xmlOf([toModelResult('<m>', cases)]);
  // eslint-disable-next-line no-control-regex -- these are what XML has no place for
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u);
  const root = parse(xml);
  expect(faultsOf(root)).toEqual([]);
  const written = [...root.querySelectorAll('system-out')].map(({ textContent }) => textContent);
  expect(written.slice(0, HOSTILE_TEXTS.length)).toEqual(HOSTILE_TEXTS);
});
