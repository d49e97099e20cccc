/** The fields of things that have an owner, in answers and in requests that change who sees them. */
import { Type } from '@sinclair/typebox';
import { VISIBILITIES } from '../../port/store/session_access';
import { says } from '../../utils/bilingual';
import { Optional } from '../../utils/schema_types';

/** For answers. */
export const OWNED_FIELDS = {
  owner: Optional.String(
    says('handle of the person to whom it belongs; absent: it belongs to the tenant', '所属的人的标识；没有则属于整个租户'),
  ),
  visibility: Optional.OneOf(VISIBILITIES, says('who sees it; absent: the tenant', '谁能看到；没有则为整个租户')),
  sharedWith: Type.Optional(
    Type.Array(
      Type.String(),
      says('those who see it beside the owner; present with visibility', '除所有者外能看到它的人；有 visibility 时才有'),
    ),
  ),
};

/** For requests. */
export const SHARING_FIELDS = {
  visibility: Optional.OneOf(
    VISIBILITIES,
    says('who sees it; by the owner, and an admin takes it away from others', '谁能看到；由所有者更改，管理员可以收回他人的访问'),
  ),
  sharedWith: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      ...says(
        'handles or ids of people, roles, or groups as group:<name>: all who see it beside the owner',
        '人的标识或 id、角色，或 group:<名称> 形式的组：除所有者外能看到它的所有人',
      ),
    }),
  ),
};

/** The answer when the caller has taken a thing away from itself. */
export const NOT_SEEN_ANSWER = {
  204: { description: { en: 'Done; the caller no longer sees it', 'zh-CN': '完成；调用方不再能看到它' } },
};
