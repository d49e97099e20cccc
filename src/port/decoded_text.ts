/** The text of a file and how its bytes store it. */

export interface TextFormat {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'shift_jis';
  /** The bytes start with a byte order mark. The text does not contain the mark; encoding the text writes the mark again. */
  bom: boolean;
}

export type DecodedText =
  | {
      kind: 'text';
      text: string;
      format: TextFormat;
      /** False when some bytes were no valid text and became U+FFFD: writing the text back would change these bytes. */
      lossless: boolean;
    }
  | { kind: 'binary' }
  /** Probably text, in an encoding that is not supported. */
  | { kind: 'foreign'; guess?: string };
