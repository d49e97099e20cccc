/** Errors of the SCIM door, as RFC 7644 section 3.12 has them. */
import type { DoorForm } from '../../../controller/door_form';
import { localeOf } from '../../../controller/http_request';
import { type AppError, type ErrorCode, messageIn } from '../../../errors';

export const API_PATH = '/scim/v2';
export const SCIM_TYPE = 'application/scim+json';

/** Words that tell a program what to do about an error. */
const WORDS: Partial<Record<ErrorCode, string>> = { invalid_request: 'invalidValue', too_large: 'tooMany' };

/** Refusals of keys, limits and unreadable bodies, and errors of the services. */
export const scimForm: DoorForm = {
  isFor: path => /^\/scim(?:\/|$)/i.test(path),
  toBody(ctx, error) {
    ctx.type = SCIM_TYPE;
    return scimError(ctx.status, messageIn(error, localeOf(ctx, 'en')), wordOf(error));
  },
};

/** Undefined when the status says all. */
const wordOf = ({ code }: AppError): string | undefined => WORDS[code];

/** Returns the error as JSON. `scimType`: absent when the status says all. */
export function scimError(status: number, detail: string, scimType?: string): string {
  return JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), scimType, detail });
}
