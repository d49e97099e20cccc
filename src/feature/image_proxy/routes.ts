/** DOOR 2, images of other servers. */
import { Controller } from '@midwayjs/core';
import { Type } from '@sinclair/typebox';
import { closedSignal } from '../../controller/closed_signal';
import { principalOf, queryOf } from '../../controller/http_request';
import { RestController, routesWith } from '../../controller/route';
import { InjectService } from '../../inject_service';
import { says } from '../../utils/bilingual';
import { closedObject } from '../../utils/schema_types';
import { FOREIGN_IMAGE_TYPES, type ImageProxy, type ImageProxyServices, KEPT_S } from './image_proxy';

const { Get } = routesWith({ scope: 'chat', tag: 'sessions' });

const ImageProxyQuery = closedObject({
  url: Type.String({ minLength: 1, maxLength: 4_096, ...says('http or https address of an image', '图片的 http 或 https 地址') }),
});

@Controller('/api/v1')
export class ImageProxyController extends RestController {
  @InjectService<ImageProxyServices>() imageProxy!: ImageProxy;

  @Get('/image-proxy', 'getForeignImage', {
    summary: { en: 'Read an image of another server', 'zh-CN': '读取其他服务器上的图片' },
    description: {
      en: 'The gateway fetches the image, so the other server learns nothing of the reader. Public addresses only, also after redirects; at most 5 MiB; kept for 5 minutes.',
      'zh-CN': '由网关获取图片，对方服务器不会得知读者的任何信息。只限公开地址，重定向之后也是；最多 5 MiB；保留 5 分钟。',
    },
    query: ImageProxyQuery,
    answers: { 200: { description: { en: 'The bytes of the image', 'zh-CN': '图片内容' }, bytes: FOREIGN_IMAGE_TYPES } },
    errors: ['too_large', 'rate_limited'],
  })
  async get() {
    const { url } = queryOf(this.ctx, ImageProxyQuery);
    const signal = closedSignal(this.ctx);
    const { mediaType, bytes } = await this.imageProxy.fetchImage(principalOf(this.ctx).tenantId, url, signal);
    this.ctx.set({
      'content-type': mediaType,
      'content-disposition': 'inline',
      // An image shows only in pages of the same site, and as a document of its own it may do nothing.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'same-site',
      'cache-control': `private, max-age=${KEPT_S}`,
    });
    return bytes;
  }
}
