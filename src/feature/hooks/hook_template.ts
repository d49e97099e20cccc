/** Templates of the messages with which inbound webhooks start runs. */
import { AppError, invalidField } from '../../errors';

/** The longest message of a run, in UTF-16 units: the same as over REST. */
const MAX_MESSAGE_UNITS = 200_000;
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const PATH = /^body(?:\.[^\s.{}]+)*$/;

/** Throws `invalid_request` for a placeholder that names nothing of a request. */
export function checkTemplate(template: string): void {
  for (const [whole, path = ''] of template.matchAll(PLACEHOLDER)) if (!PATH.test(path.trim())) throw badPlaceholder(whole);
}

/**
 * Puts the values of the body in the place of the placeholders. A value that the body does not have becomes the empty text; objects become JSON. Throws
 * `too_large` as soon as the pieces are longer than a message may be.
 */
export function fillTemplate(template: string, body: unknown): string {
  const texts = new Map<string, string>();
  let units = template.replace(PLACEHOLDER, '').length;
  return template.replace(PLACEHOLDER, (_, place: string) => {
    const path = place.trim();
    const text = texts.get(path) ?? textOf(valueAt(body, path.split('.').slice(1)));
    texts.set(path, text);
    units += text.length;
    if (units > MAX_MESSAGE_UNITS) throw tooLong();
    return text;
  });
}

function valueAt(body: unknown, keys: readonly string[]): unknown {
  let value = body;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const badPlaceholder = (whole: string): AppError =>
  invalidField(
    '/template',
    `${whole.slice(0, 80)} names nothing of a request: write {{body}} or a path such as {{body.issue.title}}.`,
    `${whole.slice(0, 80)} 不对应请求中的任何内容：请写 {{body}} 或路径，例如 {{body.issue.title}}。`,
  );

const tooLong = (): AppError =>
  new AppError('too_large', {
    message: `The template and this body make a message of more than ${MAX_MESSAGE_UNITS} characters.`,
    messageZh: `模板与此请求体生成的消息超过 ${MAX_MESSAGE_UNITS} 个字符。`,
  });
