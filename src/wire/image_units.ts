/** Measures the images of a request before anything else reads it. */

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns the length of the images in the content of messages, and in outputs of calls: the data URL in `image_url` of a part, as a text or with a `url`, the base64 of an
 * AG-UI part of the type image or binary, and the base64 of an Anthropic block of the type image, also in a tool_result. The bytes of a
 * file in `file_data`, also in `file`, and of a block of the type document count as an image. Any value is allowed.
 */
export function imageUnitsOf(messages: unknown): number {
  let units = 0;
  for (const message of listOf(messages)) {
    const { content, output } = isObject(message) ? message : {};
    for (const part of [...listOf(content), ...listOf(output)]) units += unitsOf(part);
  }
  return units;
}

function unitsOf(part: unknown): number {
  if (!isObject(part)) return 0;
  const { image_url: image, type, source, data, content } = part;
  const file = isObject(part['file']) ? part['file']['file_data'] : part['file_data'];
  if (type === 'tool_result') return listOf(content).reduce<number>((units, block) => units + unitsOf(block), 0);
  if (typeof file === 'string') return file.length;
  const url = isObject(image) ? image['url'] : image;
  if (typeof url === 'string') return url.startsWith('data:') ? url.length : 0;
  const base64 = (type === 'image' || type === 'document') && isObject(source) ? bytesOf(source) : type === 'binary' && data;
  return typeof base64 === 'string' ? base64.length : 0;
}

/** The base64 of a source: AG-UI names it `value`, Anthropic `data`. */
const bytesOf = ({ type, value, data }: Fields): unknown => (type === 'data' ? value : type === 'base64' ? data : undefined);
