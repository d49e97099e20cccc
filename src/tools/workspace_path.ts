/** The parameter of file tools that names a file or directory of the workspace, with its descriptions for models. */
import { Type } from '@sinclair/typebox';
import { Optional } from '../utils/schema_types';

const MAX_PATH_UNITS = 4_096;

const ENDINGS = {
  en: ': absolute inside the workspace, or relative to it',
  'zh-CN': '：工作区内的绝对路径，或相对于工作区的路径',
};

/** A required path. `what` begins the description: "File to read". */
export const pathParameter = (what: string) =>
  Type.String({ minLength: 1, maxLength: MAX_PATH_UNITS, description: `${what}${ENDINGS.en}` });

/** A path that may be left out. */
export const optionalPathParameter = (what: string) =>
  Optional.String({ minLength: 1, maxLength: MAX_PATH_UNITS, description: `${what}${ENDINGS.en}. Default: the workspace itself` });

export const pathTextZhCn = (what: string): string => `${what}${ENDINGS['zh-CN']}`;
export const optionalPathTextZhCn = (what: string): string => `${pathTextZhCn(what)}。默认为工作区本身`;
