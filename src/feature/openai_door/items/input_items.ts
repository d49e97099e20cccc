/** Reads the input of POST /v1/responses: a text, or items in the shapes of OpenAI's API. */
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { AppError } from '../../../errors';
import { Optional, oneOf } from '../../../utils/schema_types';
import { createDecoder, type Decoder } from '../../../wire/decode';
import { refusal } from '../../../wire/refusal';
import type { Summary } from './compaction_seals';

const CALL_ID = Type.String({ minLength: 1, maxLength: 200 });
const LONG_TEXT = Type.String({ maxLength: 1_000_000 });

const TEXT_PARTS = ['input_text', 'output_text', 'text'] as const;
const TextPart = Type.Object({
  type: oneOf(TEXT_PARTS),
  text: LONG_TEXT,
});
const ImagePart = Type.Object({
  type: Type.Literal('input_image'),
  image_url: Type.String({ maxLength: 30_000_000 }),
  detail: Optional.String({ maxLength: 20 }),
});
const FilePart = Type.Object({
  type: Type.Literal('input_file'),
  file_id: Optional.Union([Type.String({ maxLength: 200 }), Type.Null()]),
  file_data: Optional.Union([Type.String({ maxLength: 30_000_000 }), Type.Null()]),
  file_url: Optional.Union([Type.String({ maxLength: 8_192 }), Type.Null()]),
  filename: Optional.Union([Type.String({ maxLength: 512 }), Type.Null()]),
});
const FILE_SOURCES = ['file_id', 'file_data', 'file_url'] as const;
const RefusalPart = Type.Object({ type: Type.Literal('refusal'), refusal: LONG_TEXT });

const ROLES = ['user', 'assistant', 'system', 'developer'] as const;
const Message = Type.Object({
  role: oneOf(ROLES),
  content: Type.Unsafe<string | unknown[]>(Type.Union([LONG_TEXT, Type.Array(Type.Unknown(), { maxItems: 1_000 })])),
});
const FunctionCall = Type.Object({
  call_id: CALL_ID,
  name: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,128}$' }),
  arguments: LONG_TEXT,
});
const FunctionCallOutput = Type.Object({
  call_id: CALL_ID,
  output: Type.Unsafe<string | unknown[]>(Type.Union([LONG_TEXT, Type.Array(Type.Unknown(), { maxItems: 1_000 })])),
});
const CompactionItem = Type.Object({ encrypted_content: Type.String({ minLength: 1, maxLength: 1_000_000 }) });
const ItemReference = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });

/** A file that a message brings. */
export interface InputFile {
  type: 'input_file';
  /** null: it was sent with the request. */
  file_id: string | null;
  filename: string;
  /** Where it is in the workspace, and its text when tools cannot read it. */
  paths: readonly string[];
  /** Data URL of a PDF that a model may read. */
  pdf?: string;
}

/** How a request names a file. */
export interface NamedFile {
  /** JSON pointer of the part. */
  at: string;
  source: { field: (typeof FILE_SOURCES)[number]; value: string };
  filename?: string;
}

export type ContentPart =
  | { type: 'input_text' | 'output_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: string }
  | InputFile;

/** Finds or stores the file of a part. */
export type TakeFile = (file: NamedFile) => Promise<InputFile>;

/** Where items of a request come from that it only names. */
export interface ItemSources {
  findItem: FindItem;
  takeFile: TakeFile;
  openSummary: OpenSummary;
}

/** Opens the summary of a compaction item. `at`: JSON pointer of the sealed text. Throws `invalid_request`. */
export type OpenSummary = (sealed: string, at: string) => Summary;

/** An item of the input, in one form for the several that clients write. */
export type InputItem =
  | { type: 'message'; role: (typeof ROLES)[number]; content: ContentPart[] }
  | ({ type: 'function_call' } & Static<typeof FunctionCall>)
  /** `images`: those of the output, with the JSON pointers of their URLs. */
  | { type: 'function_call_output'; call_id: string; output: string; images?: readonly { at: string; url: string }[] }
  /** `summary`: what `encrypted_content` seals. */
  | { type: 'compaction'; encrypted_content: string; summary: Summary };

/** Finds the item that an earlier response made. Resolves undefined when there is none. */
export type FindItem = (id: string) => Promise<InputItem | undefined>;

/** Characters of all items that a request refers to: each may be long, and a reference is short. */
const MAX_REFERRED_UNITS = 1024 * 1024;

export interface ReadInput {
  /** JSON pointer of the list of items. */
  at: string;
  items: InputItem[];
  /** The index of each item in the request, where items of reasoning count. */
  places: number[];
}

/** Rejects `invalid_request` or `too_large` with a JSON pointer that begins with /input. Items of reasoning are left out. */
export async function readInput(input: string | readonly unknown[], sources: ItemSources): Promise<ReadInput> {
  if (typeof input === 'string') {
    if (input.trim() === '') throw refusal('/input', 'must not be blank', '不能为空');
    return { at: '/input', items: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }], places: [0] };
  }
  return readItems(input, '/input', sources);
}

/** Reads a list of items. `at`: JSON pointer of the list. Rejects like readInput. */
export async function readItems(values: readonly unknown[], at: string, sources: ItemSources): Promise<ReadInput> {
  const read: ReadInput = { at, items: [], places: [] };
  const limitedSources = { ...sources, findItem: limited(sources.findItem) };
  for (const [i, value] of values.entries()) {
    const item = await readItem(value, `${at}/${i}`, limitedSources);
    if (!item) continue;
    read.items.push(item);
    read.places.push(i);
  }
  if (read.items.length === 0) throw refusal(at, 'must have an item', '至少要有一个条目');
  return read;
}

/** Returns a function that finds items like `findItem` and rejects `too_large` when more are found than the limit. */
function limited(findItem: FindItem): FindItem {
  let units = 0;
  return async id => {
    const item = await findItem(id);
    units += item ? JSON.stringify(item).length : 0;
    if (units <= MAX_REFERRED_UNITS) return item;
    throw new AppError('too_large', {
      param: '/input',
      message: '/input: the items that it refers to have more than 1 MiB together.',
      messageZh: '/input：所引用的条目合计超过 1 MiB。',
    });
  };
}

/** The decoders, by the type of the item. */
const decodeMessage = createDecoder(Message);
const decodeCall = createDecoder(FunctionCall);
const decodeOutput = createDecoder(FunctionCallOutput);
const decodeReference = createDecoder(ItemReference);
const decodeCompaction = createDecoder(CompactionItem);
const decodeText = createDecoder(TextPart);
const decodeImage = createDecoder(ImagePart);
const decodeFile = createDecoder(FilePart);
const decodeRefusal = createDecoder(RefusalPart);

async function readItem(value: unknown, path: string, { findItem, takeFile, openSummary }: ItemSources): Promise<InputItem | undefined> {
  switch (typeOf(value)) {
    case 'message':
      return readMessage(value, path, takeFile);
    case 'function_call': {
      const { call_id, name, arguments: text } = decodeAt(decodeCall, value, path);
      return { type: 'function_call', call_id, name, arguments: text };
    }
    case 'function_call_output': {
      const { call_id, output } = decodeAt(decodeOutput, value, path);
      return { type: 'function_call_output', call_id, ...readOutput(output, `${path}/output`) };
    }
    case 'item_reference': {
      const { id } = decodeAt(decodeReference, value, path);
      const item = await findItem(id);
      if (!item) throw refusal(`${path}/id`, 'names no item of a response that is kept', '没有任何保留的响应含有这个条目');
      return item;
    }
    case 'compaction': {
      const { encrypted_content } = decodeAt(decodeCompaction, value, path);
      return { type: 'compaction', encrypted_content, summary: openSummary(encrypted_content, `${path}/encrypted_content`) };
    }
    case 'reasoning':
      return undefined;
    default:
      throw refusal(
        `${path}/type`,
        'must be message, function_call, function_call_output, reasoning, compaction or item_reference',
        '必须是 message、function_call、function_call_output、reasoning、compaction 或 item_reference',
      );
  }
}

/** A message may leave out its type. */
function typeOf(value: unknown): unknown {
  const { type, role } = (value ?? {}) as { type?: unknown; role?: unknown };
  return type ?? (role === undefined ? undefined : 'message');
}

async function readMessage(value: unknown, path: string, takeFile: TakeFile): Promise<InputItem> {
  const { role, content } = decodeAt(decodeMessage, value, path);
  const textType = role === 'assistant' ? 'output_text' : 'input_text';
  if (typeof content === 'string') return { type: 'message', role, content: [{ type: textType, text: content }] };
  const parts: ContentPart[] = [];
  for (const [i, part] of content.entries()) {
    const at = `${path}/content/${i}`;
    const read = readPart(part, at);
    if ('text' in read) parts.push({ type: textType, text: read.text });
    else if (role !== 'user')
      throw refusal(at, 'only a message of the user can have an image or a file', '只有 user 的消息可以带图片或文件');
    else parts.push('source' in read ? await takeFile(read) : read);
  }
  return { type: 'message', role, content: parts };
}

function readPart(part: unknown, path: string): Exclude<ContentPart, InputFile> | NamedFile {
  const type = typeOf(part);
  if (type === 'input_file') return readFilePart(part, path);
  if (type === 'input_image') {
    const { image_url, detail = 'auto' } = decodeAt(decodeImage, part, path);
    return { type, image_url, detail };
  }
  if (type === 'refusal') return { type: 'output_text', text: decodeAt(decodeRefusal, part, path).refusal };
  if (TEXT_PARTS.some(known => known === type)) return { type: 'input_text', text: decodeAt(decodeText, part, path).text };
  throw refusal(
    `${path}/type`,
    'must be input_text, output_text, refusal, input_image or input_file',
    '必须是 input_text、output_text、refusal、input_image 或 input_file',
  );
}

function readFilePart(part: unknown, at: string): NamedFile {
  const { filename, ...sources } = decodeAt(decodeFile, part, at);
  const given = FILE_SOURCES.flatMap(field => {
    const value = sources[field];
    return typeof value === 'string' ? [{ field, value }] : [];
  });
  const [source] = given;
  if (!source || given.length > 1)
    throw refusal(at, 'must have one of file_id, file_data and file_url', '必须有 file_id、file_data、file_url 之一');
  return { at, source, filename: filename ?? undefined };
}

/** The text of an output has a line for each image, which the model sees in the message behind the output. */
function readOutput(output: string | readonly unknown[], path: string): { output: string; images?: { at: string; url: string }[] } {
  if (typeof output === 'string') return { output };
  const images: { at: string; url: string }[] = [];
  const texts = output.map((part, i) => {
    const read = readPart(part, `${path}/${i}`);
    if ('text' in read) return read.text;
    if ('source' in read)
      throw refusal(`${path}/${i}`, 'must be a text or an image; send a file in a message', '必须是文本或图片；文件请放在消息中');
    images.push({ at: `${path}/${i}/image_url`, url: read.image_url });
    return '[image: see the next message]';
  });
  return { output: texts.join('\n'), ...(images.length > 0 && { images }) };
}

/** Decodes a value inside the request; the pointer of an error begins at the request. */
export function decodeAt<T extends TObject>(decode: Decoder<T>, value: unknown, path: string): Static<T> {
  try {
    return decode(value);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.param === undefined) throw thrown;
    const rule = thrown.message.replace(/^[^:]*: /, '').replace(/\.$/, '');
    const ruleZh = (thrown.messageZh ?? rule).replace(/^[^：]*：/, '').replace(/。$/, '');
    throw refusal(thrown.param === '/' ? path : `${path}${thrown.param}`, rule, ruleZh);
  }
}
