/** Measures the images of a request before anything else reads it. */

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the length of all data URLs in the content of messages: `image_url` of a part, as a text or with a `url`. Any value is allowed. */
export function imageUnitsOf(messages: unknown): number {
  let units = 0;
  for (const message of listOf(messages)) {
    for (const part of listOf(isObject(message) ? message['content'] : undefined)) units += unitsOf(part);
  }
  return units;
}

function unitsOf(part: unknown): number {
  const image = isObject(part) ? part['image_url'] : undefined;
  const url = isObject(image) ? image['url'] : image;
  return typeof url === 'string' && url.startsWith('data:') ? url.length : 0;
}
