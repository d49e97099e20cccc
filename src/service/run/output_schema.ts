/** Reads the JSON Schema that holds the answer of a run to a form. */
import { invalidField } from '../../errors';
import { plainSchema } from '../../tools/json_schema';
import type { Bilingual } from '../../utils/bilingual';

/** Throws `invalid_request` for a schema that cannot be used. */
export function readOutputSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const found = problemOf(schema);
  if (found) throw invalidField('/output/schema', `cannot be used: ${found.en}.`, `无法使用：${found['zh-CN']}。`);
  return schema;
}

/** Returns undefined for a schema that can be used. Models are held to objects alone. */
function problemOf(schema: Record<string, unknown>): Bilingual | undefined {
  if (schema['type'] !== 'object') return { en: 'its type must be object', 'zh-CN': '其 type 必须是 object' };
  const checker = plainSchema(schema);
  return 'problem' in checker ? checker.problem : undefined;
}
