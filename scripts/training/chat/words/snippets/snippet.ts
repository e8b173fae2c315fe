/** Arguments and what comes out; of lines, what they print. */
export type Example = readonly [args: readonly unknown[], result: unknown];
export type Snippet = {
  kind: 'function' | 'lines' | 'class';
  /** Of the function or class, in lower case, where the question gives it no name. */
  name: string;
  /** Wordings of what it does, from its verb on; of a class, what it is. */
  goals: string;
  /** With NAME in it. */
  js: string;
  python: string;
  examples: readonly Example[];
  /** Of a class: an expression in each language that comes to the result of the first example. */
  used?: readonly [js: string, python: string];
};

type Both = readonly [js: string, python: string];
export const work = (name: string, goals: string, [js, python]: Both, ...examples: Example[]): Snippet => ({
  kind: 'function',
  name,
  goals,
  js: `function NAME${js}`,
  python: `def NAME${python}`,
  examples,
});

export const GIVE = '(return|give|get|compute|calculate|find)';
export const CHECK = '(check|test|say|tell|determine) (whether|if)';
export const NUMBERS =
  '(a list|an array|a list of numbers|an array of numbers|some numbers|the numbers in a list)';
export const LIST = '(a list|the list|an array|the array)';
export const TEXT = '(a|the) (string|text)';
export const DICT = '(a dictionary|the dictionary|a map|the map|an object|the object)';
