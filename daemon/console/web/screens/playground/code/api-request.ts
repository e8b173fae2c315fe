export type ApiRequest = {
  path: string;
  body: object;
  /** The name of the file that a form uploads along with the other fields. */
  file?: string;
  /** Where to write an answer that is not text. */
  saveAs?: string;
};
