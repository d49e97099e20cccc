/** Reads documents in a thread with limits of time and memory: a hostile document must not take the machine. */
import { Worker } from 'node:worker_threads';
import { Refusal } from './refusal.mjs';

const TIME_MS = 20_000;
const HEAP_MB = 256;
/** Growth of the process; buffers of a parser do not count as its heap. */
const MEMORY_BYTES = 512 * 1024 * 1024;
const POLL_MS = 50;

/** Tells the kind of a document by its first bytes and the names of its parts; undefined for other files. */
export function documentKindOf(bytes) {
  const start = bytes.toString('latin1', 0, 1_024);
  if (start.includes('%PDF-')) return 'pdf';
  if (start.startsWith('\xd0\xcf\x11\xe0')) return 'old_office';
  if (!start.startsWith('PK')) return undefined;
  // The names of the parts stand uncompressed in the archive.
  if (bytes.includes('word/document.xml')) return 'docx';
  if (bytes.includes('xl/workbook.xml')) return 'xlsx';
  return undefined;
}

/** Resolves with the text of the document and facts about it. Rejects with Refusal when it is broken or too expensive. */
export async function readDocument(kind, bytes, path) {
  const worker = new Worker(new URL('document_worker.mjs', import.meta.url), {
    workerData: { kind, bytes },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // The worker's stdout is separate: output of a parser must not mix with the answer.
    stdout: true,
    stderr: true,
  });
  const before = process.memoryUsage.rss();
  let timers = [];
  try {
    const answer = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', error => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(path) : broken(path)));
      worker.once('exit', () => reject(broken(path)));
      const look = () => process.memoryUsage.rss() - before > MEMORY_BYTES && reject(tooMuch(path));
      timers = [setTimeout(() => reject(tooMuch(path)), TIME_MS), setInterval(look, POLL_MS)];
    });
    if (answer.problem === undefined) return answer;
    throw answer.problem === 'too_large' ? tooMuch(path) : answer.problem === 'locked' ? locked(path) : broken(path);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await worker.terminate();
  }
}

const broken = path =>
  new Refusal(`filePath: ${path} is damaged and cannot be read as a document.`, `filePath：${path} 已损坏，无法作为文档读取。`);

const locked = path => new Refusal(`filePath: ${path} is protected by a password.`, `filePath：${path} 有密码保护。`);

const tooMuch = path =>
  new Refusal(
    `filePath: ${path} takes too much time or memory to be read as a document.`,
    `filePath：将 ${path} 作为文档读取需要过多的时间或内存。`,
  );
