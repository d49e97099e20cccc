/** Says why a JSON Schema cannot hold an answer to a form. */
import { plainSchema } from '../../tools/json_schema';
import type { Bilingual } from '../../utils/bilingual';

/** Returns undefined for a schema that can be used. Models are held to objects alone. */
export function outputSchemaProblem(schema: Record<string, unknown>): Bilingual | undefined {
  if (schema['type'] !== 'object') return { en: 'its type must be object', 'zh-CN': '其 type 必须是 object' };
  const checker = plainSchema(schema);
  return 'problem' in checker ? checker.problem : undefined;
}
