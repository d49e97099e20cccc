/** Measures the images of a request before anything else reads it. */

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns the length of the images in the content of messages: the data URL in `image_url` of a part, as a text or with a `url`, and the base64 of an
 * AG-UI part of the type image or binary. Any value is allowed.
 */
export function imageUnitsOf(messages: unknown): number {
  let units = 0;
  for (const message of listOf(messages)) {
    for (const part of listOf(isObject(message) ? message['content'] : undefined)) units += unitsOf(part);
  }
  return units;
}

function unitsOf(part: unknown): number {
  if (!isObject(part)) return 0;
  const { image_url: image, type, source, data } = part;
  const url = isObject(image) ? image['url'] : image;
  if (typeof url === 'string') return url.startsWith('data:') ? url.length : 0;
  const base64 = type === 'image' && isObject(source) && source['type'] === 'data' ? source['value'] : type === 'binary' && data;
  return typeof base64 === 'string' ? base64.length : 0;
}
