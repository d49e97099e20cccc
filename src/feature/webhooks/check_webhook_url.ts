/** Checks the address of a webhook. */
import { invalidField } from '../../errors';
import { WebError } from '../../port/web';
import type { WebhookSender } from '../../port/webhook_sender';

/** Returns the address in its normal form. Throws `invalid_request` for an address that no webhook may reach, and names the field. */
export function checkWebhookUrl(sender: Pick<WebhookSender, 'checkUrl'>, url: string, field: string): string {
  try {
    return sender.checkUrl(url);
  } catch (thrown) {
    if (!(thrown instanceof WebError)) throw thrown;
    const hint = 'An operator can allow a private address with NETA_WEBHOOK_ALLOW.';
    throw invalidField(
      field,
      `${thrown.message}${thrown.code === 'forbidden_address' ? ` ${hint}` : ''}`,
      '不能向这个地址发送。请使用公网的 http 或 https 地址；内网地址须由运维人员写入 NETA_WEBHOOK_ALLOW。',
    );
  }
}
