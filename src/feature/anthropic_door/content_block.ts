/** Reads single blocks of the content of a message. */
import type { NamedUrl } from '../../service/image/image_service';
import type { Bilingual } from '../../utils/bilingual';
import { refusal } from '../../wire/refusal';

export type Fields = Record<string, unknown>;

/** Returns the fields of an object; none for any other value. */
export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

export const isBlock = (block: unknown, type: string): block is Fields => fieldsOf(block)['type'] === type;

/** Reads content that is a text, or a list of text blocks. Throws `invalid_request` with the pointer of the field. */
export function textOf(content: unknown, at: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw refusal(at, 'must be a text or a list of blocks', '必须是文本或由内容块组成的列表');
  return content.map((block, i) => textOfBlock(block, `${at}/${i}`, ['text'])).join('\n\n');
}

/** Returns what a block says. `allowed`: the types that an error names. Throws `invalid_request` with the pointer of the field. */
export function textOfBlock(block: unknown, at: string, allowed: readonly string[]): string {
  const { type, text, tool_name: toolName } = fieldsOf(block);
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'text') throw refusal(`${at}/text`, 'must be a text', '必须是文本');
  if (type === 'document' && allowed.includes(type)) return documentText(fieldsOf(block), at);
  if (type === 'search_result' && allowed.includes(type)) return searchResultText(fieldsOf(block), at);
  if (type === 'tool_reference' && typeof toolName === 'string') return toolName;
  throw refusal(`${at}/type`, `must be ${allowed.join(' or ')}`, `必须是 ${allowed.join(' 或 ')}`);
}

/** Reads the URL of an image: a data URL for bytes, or the id of an uploaded file. Throws `invalid_request` with the pointer of the source. */
export function imageUrlOf({ source }: Fields, at: string): NamedUrl {
  const sourceAt = `${at}/source`;
  const { type, media_type: mediaType, data, url, file_id: fileId } = fieldsOf(source);
  if (type === 'base64' && typeof mediaType === 'string' && typeof data === 'string')
    return { at: `${sourceAt}/data`, url: `data:${mediaType};base64,${data}` };
  if (type === 'url' && typeof url === 'string') return { at: `${sourceAt}/url`, url };
  if (type === 'file' && typeof fileId === 'string' && fileId !== '')
    return { at: `${sourceAt}/file_id`, url: `file_id:${fileId}`, fileId };
  throw refusal(
    sourceAt,
    'must have the type base64 with media_type and data, the type url with url, or the type file with file_id',
    'type 必须是 base64（带 media_type 和 data）、url（带 url）或 file（带 file_id）',
  );
}

/** Finds the PDF file of a document; undefined for a document of text. */
export function pdfOf({ source, title }: Fields, at: string): NamedUrl | undefined {
  const { type } = fieldsOf(source);
  if (type !== 'base64' && type !== 'url' && type !== 'file') return undefined;
  return { ...imageUrlOf({ source }, at), file: { name: typeof title === 'string' && title !== '' ? title : undefined } };
}

const NO_FILES: Bilingual = {
  en: 'must have the type text or content, or base64, url or file for a PDF file; upload other files to the workspace and name their path in a text',
  'zh-CN': 'type 必须是 text 或 content，PDF 文件则是 base64、url 或 file；其他文件请上传到工作区，并在文本中写明路径',
};

function documentText({ source, title, context }: Fields, at: string): string {
  const { type, data, content } = fieldsOf(source);
  const text =
    type === 'text' && typeof data === 'string' ? data : type === 'content' ? textOf(content, `${at}/source/content`) : undefined;
  if (text === undefined) throw refusal(`${at}/source`, NO_FILES.en, NO_FILES['zh-CN']);
  return [title, context, text].filter(part => typeof part === 'string' && part !== '').join('\n');
}

function searchResultText({ source, title, content }: Fields, at: string): string {
  const head = [title, source].filter(part => typeof part === 'string' && part !== '');
  return [...head, textOf(content, `${at}/content`)].join('\n');
}
