/** Creates errors about fields of requests to /v1, in both languages. */
import { type AppError, invalidField } from '../errors';

/** `param`: JSON pointer of the field; the rules end without a full stop. */
export const refusal = (param: string, rule: string, ruleZh: string): AppError => invalidField(param, `${rule}.`, `${ruleZh}。`);
