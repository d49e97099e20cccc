import { JsonFollower } from '../../utils/json_depth';

/**
 * After so many pieces in a row, each of which repeats all of the text before and adds to it, the pieces count as repetitions. Two in a row can be
 * parts of one JSON text: `{"`, `{":` and `{":x` are the beginning of an object with the key `{`.
 */
const CERTAIN_GROWTHS = 4;

/**
 * The arguments of one tool call. Most servers send them in pieces; some send all of them again with each piece. The two are told apart by which
 * reading is JSON.
 */
export class ArgumentText {
  private joined = '';
  private readonly follower = new JsonFollower();
  /** The newest piece, as long as each piece began with the piece before; undefined afterwards. */
  private snapshot: string | undefined;
  private growths = 0;
  private parsed: { value: unknown } | undefined;
  /** True when the text was closed and is no JSON; nothing that follows makes it JSON. */
  private isBroken = false;
  /** Number of pieces that were not blank. */
  pieces = 0;
  /** Size in bytes of UTF-8. */
  bytes = 0;

  get isEmpty(): boolean {
    return this.pieces === 0;
  }

  /** True when the text is one complete JSON value, which cannot go on. */
  get isWhole(): boolean {
    return this.read() !== undefined;
  }

  /** The parsed text; undefined when it is not one JSON value. */
  get value(): unknown {
    return this.read()?.value;
  }

  /** True when the text means no arguments. Some servers send such a text before the real arguments. */
  get isPlaceholder(): boolean {
    const { value } = this;
    return this.isEmpty || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  }

  get text(): string {
    if (this.growths === 0 || parse(this.joined)) return this.joined;
    const { snapshot = '' } = this;
    return parse(snapshot) ? snapshot : this.joined;
  }

  add(piece: string): void {
    this.parsed = undefined;
    const isBlank = piece.trim() === '';
    if (!isBlank && this.follower.isClosed) this.isBroken = true;
    if (!isBlank) this.addSnapshot(piece);
    if (!isBlank) this.pieces += 1;
    if (this.growths >= CERTAIN_GROWTHS) {
      this.joined = this.snapshot ?? this.joined;
      this.bytes = Buffer.byteLength(this.joined);
      return;
    }
    this.joined += piece;
    this.bytes += Buffer.byteLength(piece);
    this.follower.add(piece);
  }

  /** Adds the text of `later` when both together are one JSON value. Returns false otherwise. */
  completeWith(later: ArgumentText): boolean {
    const isOne = parse(this.joined + later.joined) !== undefined;
    if (isOne) this.append(later);
    return isOne;
  }

  append(later: ArgumentText): void {
    this.growths = 0;
    this.snapshot = undefined;
    this.add(later.joined);
  }

  private addSnapshot(piece: string): void {
    const { snapshot } = this;
    if (this.pieces === 0) this.snapshot = piece;
    else if (snapshot === undefined || !piece.startsWith(snapshot)) {
      this.snapshot = undefined;
      this.growths = 0;
    } else {
      this.snapshot = piece;
      if (piece.length > snapshot.length) this.growths += 1;
    }
  }

  private read(): { value: unknown } | undefined {
    const { snapshot } = this;
    if (this.follower.isClosed && !this.isBroken) this.parsed ??= parse(this.joined);
    if (snapshot !== undefined && this.growths > 0) this.parsed ??= parse(snapshot);
    // A placeholder without brackets.
    if (this.joined.length <= 'null'.length + 2 && this.joined.trim() === 'null') this.parsed ??= { value: null };
    return this.parsed;
  }
}

function parse(text: string): { value: unknown } | undefined {
  const last = text.trimEnd().at(-1);
  if (last !== '}' && last !== ']' && last !== '"') return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
