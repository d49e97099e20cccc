/** Requests and answers of the routes for saved views. */
import { Type } from '@sinclair/typebox';
import { LIST_QUERY, Time } from '../../../controller/schemas/common';
import { says } from '../../../utils/bilingual';
import { closedObject, Optional } from '../../../utils/schema_types';
import { NOT_BLANK } from '../../../wire/not_blank';

const SCREEN = { pattern: '^[a-z]{1,40}$', ...says('screen of the operator pages, such as runs', '运维页面的名称，例如 runs') };
const MAX_FIELDS = 30;

export const SavedViewName = closedObject({ name: Type.String({ minLength: 1, maxLength: 60, pattern: NOT_BLANK }) });

export const SavedViewsQuery = closedObject({ ...LIST_QUERY, screen: Optional.String(SCREEN) });

export const DeleteSavedViewQuery = closedObject({ screen: Type.String(SCREEN) });

const Query = Type.Record(Type.String({ pattern: '^\\w{1,40}$' }), Type.String({ maxLength: 500 }), {
  additionalProperties: false,
  maxProperties: MAX_FIELDS,
  ...says('filters, order, columns and span, as in the address of the page', '筛选、排序、列和时段，与页面地址中的相同'),
});

export const SaveViewRequest = closedObject(
  { screen: Type.String(SCREEN), query: Query },
  { examples: [{ screen: 'runs', query: { status: 'failed', sort: 'cost', columns: 'tenant,model' } }] },
);

export const SavedView = Type.Object({
  name: Type.String(),
  screen: Type.String(),
  query: Type.Record(Type.String(), Type.String()),
  savedBy: Type.String(says('name of the key', '密钥的名称')),
  savedAt: Time,
});
