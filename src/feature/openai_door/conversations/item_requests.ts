/** Reads the items that a request adds to a conversation, and writes items for an answer. */
import type { Context } from '@midwayjs/koa';
import { CLIENT_QUERY } from '../../../controller/model_door/client_query';
import type { AccessCaller } from '../../../service/access/session_access';
import type { ImageService } from '../../../service/image/image_service';
import { mapLimited } from '../../../utils/map_limited';
import { refusal } from '../../../wire/refusal';
import type { CompactionSeals } from '../items/compaction_seals';
import { type InputItem, type ItemSources, readItems } from '../items/input_items';
import { toMessages } from '../items/item_messages';
import type { ConversationItem } from './conversation_items';
import type { ConversationService } from './conversation_service';
import type { ItemPage, ItemService } from './item_service';
import type { NewMessages } from './new_messages';

/** The services of conversations, as controllers inject them. */
export interface ConversationServices {
  conversationService: ConversationService;
  itemService: ItemService;
}

const IMAGES_MS = 30_000;
const AT = '/items';

/** Clients ask by `include` for fields that an answer leaves out. */
export const WRITE_QUERY: readonly string[] = [...CLIENT_QUERY, 'include', 'include[]'];

/** Reads new items. Rejects `invalid_request` or `too_large`, and names the field. */
export async function readNewItems(
  items: readonly unknown[],
  {
    caller,
    images,
    ...sources
  }: { caller: AccessCaller; images: Pick<ImageService, 'attachImages'> } & Pick<ItemSources, 'takeFile' | 'openSummary'>,
): Promise<NewMessages> {
  const read = await readItems(items, AT, { findItem: async () => undefined, ...sources });
  const odd = read.items.findIndex(isInstruction);
  if (odd !== -1)
    throw refusal(
      `${AT}/${read.places[odd] ?? odd}/role`,
      'must be user or assistant; send instructions with each response',
      '必须是 user 或 assistant；指令请随每个响应发送',
    );
  const { messages, images: named } = toMessages(read);
  const attached = await images.attachImages({ earlier: [], turn: messages }, named, { ...caller, signal: AbortSignal.timeout(IMAGES_MS) });
  return { messages: attached.given?.turn ?? messages, images: attached.images, files: attached.files };
}

const isInstruction = (item: InputItem): boolean => item.type === 'message' && (item.role === 'system' || item.role === 'developer');

/** True when the caller asks for the data URLs of images. */
export function showsImageUrls({ query }: Context): boolean {
  const asked = [query['include'], query['include[]']].flat();
  return asked.includes('message.input_image.image_url');
}

/** An item as it goes to the caller. */
export async function toWireItem(
  { item, record: { tenantId, sessionId, message } }: ItemPage['data'][number],
  { images, seals, showsUrls }: { images: Pick<ImageService, 'getImage'>; seals: CompactionSeals; showsUrls: boolean },
): Promise<ConversationItem> {
  if (message.role === 'user' && message.summary) return { ...item, encrypted_content: seals.sealSummary(tenantId, message.summary) };
  const { content } = item;
  if (!showsUrls || message.role !== 'user' || !message.images || !Array.isArray(content)) return item;
  const urls = await mapLimited(message.images, 1, async ({ id }) => {
    const { mediaType, bytes } = await images.getImage(tenantId, sessionId, id);
    return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
  });
  const parts = content.map((part: { type: string }) =>
    part.type === 'input_image' ? { ...part, image_url: urls.shift() ?? null } : part,
  );
  return { ...item, content: parts };
}
