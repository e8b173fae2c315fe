/* eslint-disable no-control-regex -- the tests look for control characters */

/** CSI, then the string kinds (OSC, DCS, APC and the like), then short escapes. */
const SEQUENCE = /\u001b(\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*|[ -/]*[0-~])/g;

/** The control sequences of a terminal's output in order, without the leading escape. */
export function sequencesIn(output: string): string[] {
  return [...output.matchAll(SEQUENCE)].flatMap(([, body = '']) => (body === '\\' ? [] : [body]));
}
