/**
 * Statements that go to the server in one piece: one write to the network and one wait, because each of them costs more than most statements. The
 * server executes them in order and leaves out those behind the first that fails.
 */
import type { ClientBase, Connection, FieldDef, Submittable } from 'pg';
import { type Statement, VALUE_TYPES } from './postgres_values';

export interface Answer {
  rows: Record<string, unknown>[];
  /** Rows that the statement returned or changed. */
  count: number;
  /** The name of the command and its numbers, such as `COMMIT` or `UPDATE 1`. */
  tag: string;
}

/** `answers`: of the statements before the one that failed with `error`; of all statements when none failed. */
export interface BatchResult {
  answers: Answer[];
  error?: unknown;
}

/** Resolves when the server has answered everything, or the connection broke. Never rejects. */
export function runBatch(client: ClientBase, statements: readonly Statement[]): Promise<BatchResult> {
  return new Promise(resolve => client.query(new StatementBatch(statements, resolve)));
}

type Column = [name: string, parse: (text: string) => unknown];

/** The columns of the prepared statements of a connection, by name. `unsure`: a failure hides whether the server has prepared the statement. */
const prepared = new WeakMap<Connection, Map<string, readonly Column[] | 'unsure'>>();

/** The messages of the server that the driver passes on while the batch is the active query of its client. */
class StatementBatch implements Submittable {
  private readonly answers: Answer[] = [];
  private known = new Map<string, readonly Column[] | 'unsure'>();
  private readonly parsed = new Set<string>();
  private rows: Answer['rows'] = [];
  /** The columns of the statement that is answered now; undefined until the server has described them. */
  private columns: readonly Column[] | undefined;
  private failure: { error: unknown } | undefined;

  constructor(
    private readonly statements: readonly Statement[],
    private readonly resolve: (result: BatchResult) => void,
  ) {}

  submit(connection: Connection): void {
    const known = prepared.get(connection) ?? new Map();
    prepared.set(connection, known);
    this.known = known;
    // One write for all messages.
    connection.stream.cork();
    for (const statement of this.statements) this.send(connection, statement);
    connection.sync();
    connection.stream.uncork();
  }

  /** Called by the driver: with an error when the server or the connection fails, and without one at the end. It may replace the property. */
  callback = (error?: unknown): void => {
    const failure = error ? { error } : this.failure;
    if (failure) this.markUnsure();
    this.resolve({ answers: this.answers, ...failure });
  };

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => [name, VALUE_TYPES.getTypeParser(dataTypeID, 'text')]);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.failure) return;
    try {
      this.rows.push(toRow(this.columns ?? this.columnsOfCurrent(), fields));
    } catch (error) {
      this.failure = { error };
    }
  }

  handleCommandComplete({ text: tag }: { text: string }): void {
    const { name } = this.statements[this.answers.length] ?? {};
    if (name !== undefined && !Array.isArray(this.known.get(name))) this.known.set(name, this.columns ?? []);
    if (!this.failure) this.answers.push({ rows: this.rows, count: Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0, tag });
    this.rows = [];
    this.columns = undefined;
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  private send(connection: Connection, { name, text, values }: Statement): void {
    const state = name === undefined ? undefined : this.known.get(name);
    const mustParse = name === undefined || !(Array.isArray(state) || this.parsed.has(name));
    if (name !== undefined && mustParse) {
      this.parsed.add(name);
      if (state === 'unsure') connection.close({ type: 'S', name }, true);
    }
    if (mustParse) connection.parse({ name: name ?? '', text, types: [] }, true);
    connection.bind({ statement: name ?? '', values: values as (string | Buffer | null)[] }, true);
    if (mustParse) connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
  }

  private columnsOfCurrent(): readonly Column[] {
    const { name } = this.statements[this.answers.length] ?? {};
    const state = name === undefined ? undefined : this.known.get(name);
    if (!Array.isArray(state)) throw new Error('The server sent a row without its columns.');
    return state;
  }

  /** The server may have prepared a statement and not executed it. */
  private markUnsure(): void {
    for (const { name } of this.statements.slice(this.answers.length))
      if (name !== undefined && this.parsed.has(name) && !Array.isArray(this.known.get(name))) this.known.set(name, 'unsure');
  }
}

function toRow(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i += 1) {
    const [name, parse] = columns[i] as Column;
    const text = fields[i] ?? null;
    row[name] = text === null ? null : parse(text);
  }
  return row;
}
