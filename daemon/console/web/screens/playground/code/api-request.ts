export type ApiRequest = {
  path: string;
  body: object;
  /** The name of the file that a form uploads beside the other fields. */
  file?: string;
  /** Where an answer goes that is not text. */
  saveAs?: string;
};
