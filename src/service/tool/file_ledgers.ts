/**
 * Remembers, for the most recently used sessions, which file versions each session has seen. Where a session can go on at another gateway, the log of its
 * tool calls decides: the details of each call that read or wrote a file have the version of the content.
 */
import { LRUCache } from 'lru-cache';
import type { FileLedger } from '../../tools/file_editing';
import { contentHash } from '../../utils/content_hash';
import type { FileHistory } from './file_history';

const MAX_SESSIONS = 500;
const MAX_FILES = 1_000;
const MAX_REFUSALS = 100;
/** Characters of the hash of a content that the log keeps. */
const VERSION_LENGTH = 16;

export class FileLedgers {
  private readonly memories = new LRUCache<string, SessionMemory>({ max: MAX_SESSIONS });

  /** `history`: absent when no other gateway executes runs of the sessions. */
  constructor(private readonly history?: FileHistory) {}

  /** Returns the ledger of a run. Its session is remembered until 500 other sessions were used after it. */
  ledgerFor(tenantId: string, sessionId: string, runId = ''): FileLedger {
    const key = JSON.stringify([tenantId, sessionId]);
    const memory = this.memories.get(key) ?? new SessionMemory();
    this.memories.set(key, memory);
    return this.history ? new SharedLedger(memory, this.history, { tenantId, sessionId, runId }) : new OwnLedger(memory);
  }
}

/** The version of a file that a run of the session saw last. */
interface Sight {
  version: string;
  runId: string;
}

class SessionMemory {
  /** By path. Bounded by maxSize, because `max` would allocate 1,000 slots for each session. */
  readonly files = new LRUCache<string, Sight>({ maxSize: MAX_FILES, sizeCalculation: () => 1 });
  /** Refused edits of the session; created on demand, because most sessions have none. */
  private refusals: LRUCache<string, true> | undefined;

  noteRefusal(edit: string): boolean {
    const key = contentHash(edit);
    this.refusals ??= new LRUCache<string, true>({ max: MAX_REFUSALS });
    const isRepeated = this.refusals.has(key);
    this.refusals.set(key, true);
    return isRepeated;
  }
}

class OwnLedger implements FileLedger {
  constructor(private readonly memory: SessionMemory) {}

  note(path: string, bytes: Uint8Array): undefined {
    this.memory.files.set(path, { version: versionOf(bytes), runId: '' });
  }

  async isStale(path: string, bytes: Uint8Array): Promise<boolean> {
    const seen = this.memory.files.get(path);
    return seen !== undefined && seen.version !== versionOf(bytes);
  }

  async findOtherGateway(): Promise<undefined> {
    return undefined;
  }

  noteRefusal(edit: string): boolean {
    return this.memory.noteRefusal(edit);
  }
}

class SharedLedger implements FileLedger {
  constructor(
    private readonly memory: SessionMemory,
    private readonly history: FileHistory,
    private readonly run: { tenantId: string; sessionId: string; runId: string },
  ) {}

  note(path: string, bytes: Uint8Array): string {
    const version = versionOf(bytes);
    this.memory.files.set(path, { version, runId: this.run.runId });
    return version;
  }

  /** An earlier run may have been at another gateway, so only what this run has seen itself needs no look into the log. */
  async isStale(path: string, bytes: Uint8Array): Promise<boolean> {
    const { tenantId, sessionId, runId } = this.run;
    const remembered = this.memory.files.get(path);
    const seen = remembered?.runId === runId ? remembered : ((await this.history.lastUse(tenantId, sessionId, path)) ?? remembered);
    return seen !== undefined && seen.version !== versionOf(bytes);
  }

  findOtherGateway(path: string): Promise<string | undefined> {
    const { tenantId, sessionId } = this.run;
    return this.history.findOtherGateway(tenantId, sessionId, path);
  }

  noteRefusal(edit: string): boolean {
    return this.memory.noteRefusal(edit);
  }
}

const versionOf = (bytes: Uint8Array): string => contentHash(bytes).slice(0, VERSION_LENGTH);
