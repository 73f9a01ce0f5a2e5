/** Turns a text into a direction: texts that mean alike point alike. */
export interface Embedder {
  readonly dimensions: number;
  /** Names table and settings, so that vectors of another version are not compared. */
  readonly version: string;
  /** A vector of length 1, each component times 127; undefined where no word is known. */
  embed(text: string): Int8Array | undefined;
}
