/** Makes the request of an operation from what the person has filled in. */
import type { Operation, Parameter } from './api_document';
import type { ApiRequest } from './code_examples';

export type Filled = Readonly<Record<string, string>>;

/** Segments that a browser removes from an address, which would then lead to another route. */
const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

export const fieldOf = ({ in: place, name }: Parameter): string => `${place}:${name}`;

/** `root`: address of the gateway without a slash at the end. Empty fields are left out; an empty part of a path shows its name. */
export function toRequest(operation: Operation, filled: Filled, root: string): ApiRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = filled[`path:${name}`];
    return value && !DOTS.test(value) ? value.split('/').map(encodeURIComponent).join('/') : whole;
  });
  const given = operation.parameters.flatMap(parameter => {
    const value = filled[fieldOf(parameter)] ?? '';
    return value === '' ? [] : [{ place: parameter.in, name: parameter.name, value }];
  });
  const query = given
    .filter(({ place }) => place === 'query')
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const headers = given.filter(({ place }) => place === 'header').map(({ name, value }) => [name, value]);
  if (operation.body) headers.push(['content-type', operation.body.mediaType]);
  return {
    method: operation.method,
    url: root + path + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers: Object.fromEntries(headers),
    body: operation.body ? (filled['body'] ?? '') : undefined,
  };
}
