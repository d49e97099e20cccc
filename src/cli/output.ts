/** Writes answers to stdout, and progress to stderr. Colours appear only on a terminal; NO_COLOR turns them off. */
import { stripVTControlCharacters, styleText } from 'node:util';

type Style = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan';

/** The part of a stream that the output uses. */
export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const DEFAULT_COLUMNS = 100;
const GAP = '  ';
/** East Asian wide characters take two columns. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

export class Output {
  /** True when the last text did not end its line. */
  private isMidLine = false;

  constructor(
    private readonly out: Terminal,
    private readonly err: Terminal,
    readonly isJson: boolean,
    private readonly hasColours: boolean,
  ) {}

  /** One JSON value on a line of its own. */
  json(value: unknown): void {
    this.out.write(`${JSON.stringify(value)}\n`);
  }

  /** Writes a piece of the answer as it arrives. */
  text(piece: string): void {
    if (piece === '') return;
    const shown = this.out.isTTY ? withoutControls(piece) : piece;
    this.out.write(shown);
    this.isMidLine = !shown.endsWith('\n');
  }

  endLine(): void {
    if (this.isMidLine) this.out.write('\n');
    this.isMidLine = false;
  }

  line(text: string): void {
    this.endLine();
    this.out.write(`${text}\n`);
  }

  /** A line for the person that is no part of the answer. */
  note(text: string, style?: Style): void {
    if (this.out.isTTY) this.endLine();
    this.err.write(`${style ? this.styled(style, text) : text}\n`);
  }

  /**
   * Writes rows of equal fields as columns with their names; JSON lines with --json. Lines are clipped to the width of the terminal, unless
   * `isWhole`, for tables by which a person decides.
   */
  table(rows: readonly Record<string, unknown>[], { isWhole = false } = {}): void {
    if (this.isJson) {
      for (const row of rows) this.json(row);
      return;
    }
    const names = Object.keys(rows[0] ?? {});
    const cells = [names, ...rows.map(row => names.map(name => withoutControls(String(row[name] ?? '')).replaceAll(/\s+/g, ' ')))];
    const widths = names.map((_, i) => Math.max(...cells.map(row => widthOf(row[i] ?? ''))));
    for (const [i, row] of cells.entries()) {
      const text = clip(
        row.map((cell, column) => pad(cell, column === names.length - 1 ? 0 : (widths[column] ?? 0))).join(GAP),
        isWhole ? Number.POSITIVE_INFINITY : this.columns,
      );
      this.line(i === 0 ? this.styled('bold', text) : text);
    }
  }

  styled(style: Style, text: string): string {
    return this.hasColours ? styleText(style, text, { validateStream: false }) : text;
  }

  private get columns(): number {
    return this.out.isTTY ? (this.out.columns ?? DEFAULT_COLUMNS) : Number.POSITIVE_INFINITY;
  }
}

/** Texts of models, tools and other people must not move the cursor or set the title of the terminal. */
export const withoutControls = (text: string): string => stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n\t]/gu, '');

const widthOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0);

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let width = 1;
  let end = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}
