/** Creates errors about fields of requests to /v1, in both languages. */
import { AppError } from '../errors';

/** `param`: JSON pointer of the field; the rules end without a full stop. */
export const refusal = (param: string, rule: string, ruleZh: string): AppError =>
  new AppError('invalid_request', { param, message: `${param}: ${rule}.`, messageZh: `${param}：${ruleZh}。` });
