/** Imports the file that another chat program exported: each chat becomes a session. */

import { AppError } from '../../errors';
import { CpuTaskOverrun, type CpuTasks } from '../../port/cpu_tasks';
import type { Actor } from '../../port/principal';
import { ownerOf } from '../../service/access/session_access';
import { OncePerKey } from '../../service/once_per_key';
import type { SessionService } from '../../service/session/session_service';
import { fingerprintOf } from '../../utils/fingerprint';
import type { ReadChat, ReadResult } from '../../utils/read_chats';
import type { ChatExporter } from './chat_exporter';

/** The services that the routes of this feature use. */
export interface ChatFileServices {
  chatExporter: ChatExporter;
  chatImporter: ChatImporter;
}

interface ImportCounts {
  sessions: number;
  messages: number;
  skipped: number;
}

interface ChatImporterDeps {
  cpuTasks: CpuTasks;
  sessionService: Pick<SessionService, 'importSession'>;
}

/** The most bytes of a file. */
const MAX_FILE_BYTES = 25 * 1024 * 1024;

export class ChatImporter {
  /** Each file is held in memory whole, so a tenant imports one at a time. */
  private readonly importing = new Set<string>();

  constructor(private readonly deps: ChatImporterDeps) {}

  /**
   * Imports the chats of the file, the oldest first. A chat that was imported within a day is not imported again, and counts like the others. Rejects
   * `invalid_request`, `too_large`, and `rate_limited` while another file of the tenant is imported.
   */
  async importFile(by: Actor, body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ImportCounts> {
    const { tenantId } = by;
    if (this.importing.has(tenantId)) throw new AppError('rate_limited', { retryAfterMs: 2_000 });
    this.importing.add(tenantId);
    try {
      return await this.importChats(by, await this.readChats(await readWhole(body), signal));
    } finally {
      this.importing.delete(tenantId);
    }
  }

  private async readChats(bytes: Uint8Array, signal: AbortSignal): Promise<readonly ReadResult[]> {
    const results = await this.deps.cpuTasks.run('readChatFile', bytes, signal).catch(thrown => {
      throw thrown instanceof CpuTaskOverrun ? tooLarge() : thrown;
    });
    if (typeof results !== 'string') return results;
    throw new AppError('invalid_request', results === 'not_json' ? NOT_JSON : UNKNOWN_FORM);
  }

  private async importChats(by: Actor, results: readonly ReadResult[]): Promise<ImportCounts> {
    const counts = { sessions: 0, messages: 0, skipped: 0 };
    for (const result of results.toReversed()) {
      if (!('chat' in result)) {
        counts.skipped++;
        continue;
      }
      await this.importChat(by, result.chat);
      counts.sessions++;
      counts.messages += result.chat.messages.length;
    }
    return counts;
  }

  private async importChat({ tenantId, keyName: by }: Actor, { title, archived, messages }: ReadChat): Promise<void> {
    const fingerprint = fingerprintOf({ title, archived, messages, owner: ownerOf(by) });
    const chat = {
      title: title === '' ? undefined : title,
      archived,
      by,
      messages: messages.map(message => ({
        ...message,
        createdAt: message.createdAt === undefined ? undefined : Date.parse(message.createdAt),
      })),
    };
    await this.deps.sessionService.importSession(tenantId, chat, new OncePerKey({ key: `imports:${fingerprint}`, fingerprint }));
  }
}

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAX_FILE_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

const tooLarge = () =>
  new AppError('too_large', {
    message: 'A file with chats may have at most 25 MiB. The import of the chat page takes larger ones.',
    messageZh: '对话文件最大 25 MiB。更大的文件请用聊天页面的导入功能。',
  });

const NOT_JSON = { message: 'The body must be the JSON file of an export.', messageZh: '请求体必须是导出的 JSON 文件。' };
const UNKNOWN_FORM = {
  message: 'The file is no export of ChatGPT (conversations.json), LibreChat or Open WebUI.',
  messageZh: '该文件不是 ChatGPT（conversations.json）、LibreChat 或 Open WebUI 的导出文件。',
};
