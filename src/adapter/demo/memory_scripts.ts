/** The demo's scripts about memory: remember, say what is known, forget. */
import type { Script } from './demo_move';
import type { DemoTexts } from './demo_texts';

/** One entry in a result: its id, its text, and its kind and day in brackets. */
const ENTRY = /^- \[([\w-]+)\] (.+) \([^()]*\)$/;
const MAX_FACT = 2_000;
const MAX_ENTRIES = 20;

interface Entry {
  id: string;
  text: string;
}

export function* remember(texts: DemoTexts, fact: string): Script {
  const [result] = yield { text: '', calls: [{ name: 'memory_save', args: { text: fact.slice(0, MAX_FACT) } }] };
  if (result === undefined) return texts.noTool('memory_save');
  const isSaved = /^(?:Saved|Updated|已保存|已更新) \[/.test(result);
  return withConnect(texts, isSaved ? texts.remembered(fact) : texts.failed(result));
}

export function* recallAll(texts: DemoTexts): Script {
  const [result] = yield { text: '', calls: [{ name: 'memory_recall', args: { query: '*', limit: MAX_ENTRIES } }] };
  if (result === undefined) return texts.noTool('memory_recall');
  return withConnect(texts, texts.known(entriesIn(result).map(({ text }) => text)));
}

export function* forget(texts: DemoTexts, fact: string): Script {
  const [found] = yield { text: '', calls: [{ name: 'memory_recall', args: { query: fact.slice(0, MAX_FACT / 4), limit: MAX_ENTRIES } }] };
  if (found === undefined) return texts.noTool('memory_recall');
  const entry = entriesIn(found).find(({ text }) => text.toLowerCase().includes(fact.toLowerCase()));
  if (!entry) return withConnect(texts, texts.notKnown(fact));
  const [result] = yield { text: '', calls: [{ name: 'memory_forget', args: { id: entry.id } }] };
  if (result === undefined) return texts.noTool('memory_forget');
  return withConnect(texts, /^(?:Forgotten|已忘记) \[/.test(result) ? texts.forgotten(entry.text) : texts.failed(result));
}

const withConnect = (texts: DemoTexts, text: string): string => `${text}\n\n${texts.connect}`;

function entriesIn(result: string): Entry[] {
  return result.split('\n').flatMap(line => {
    const [, id, text] = ENTRY.exec(line) ?? [];
    return id !== undefined && text !== undefined ? [{ id, text }] : [];
  });
}
