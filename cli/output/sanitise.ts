/* eslint-disable no-control-regex -- finding control characters is what this file is for */

/** Complete terminal sequences: CSI, then the string kinds (OSC, DCS, SOS, PM, APC), then short escapes. */
const SEQUENCES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g;

/** C0 except tab and newline, DEL, C1, and bidirectional control characters. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A sequence that may continue in the next chunk. The limit keeps a lone opener from swallowing the text after it. */
const UNFINISHED = /\u001b(?:\[[0-?]{0,32}[ -/]{0,4}|[\]PX^_][^\u0007\u001b]{0,256}\u001b?)?$/;

/** Removes all control sequences, so that text from a model or a server is only text. */
export function sanitise(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS, '');
}

/** One line of a table or a message: sanitised, without line breaks. */
export function sanitiseLine(text: string): string {
  return sanitise(text.replace(/[\n\t]+/g, ' '));
}

/** Sanitises a stream whose sequences may be split between chunks. */
export function createStreamSanitiser() {
  let held = '';
  return {
    push(chunk: string): string {
      const text = held + chunk;
      held = UNFINISHED.exec(text)?.[0] ?? '';
      return sanitise(text.slice(0, text.length - held.length));
    },
    end(): string {
      const rest = sanitise(held);
      held = '';
      return rest;
    },
  };
}
