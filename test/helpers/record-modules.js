import { appendFileSync } from 'node:fs';

/** A module hook that writes down what a process loads. */
let file = '';

export function initialize(data) {
  file = data.file;
}

export function load(url, context, nextLoad) {
  appendFileSync(file, `${url}\n`);
  return nextLoad(url, context);
}
