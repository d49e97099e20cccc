/** Templates of the messages with which inbound webhooks start runs. */
import { type AppError, invalidField } from '../../errors';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const PATH = /^body(?:\.[^\s.{}]+)*$/;

/** Throws `invalid_request` for a placeholder that names nothing of a request. */
export function checkTemplate(template: string): void {
  for (const [whole, path = ''] of template.matchAll(PLACEHOLDER)) if (!PATH.test(path.trim())) throw badPlaceholder(whole);
}

/** Puts the values of the body in the place of the placeholders. A value that the body does not have becomes the empty text; objects become JSON. */
export const fillTemplate = (template: string, body: unknown): string =>
  template.replace(PLACEHOLDER, (_, path: string) => textOf(valueAt(body, path.trim().split('.').slice(1))));

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
