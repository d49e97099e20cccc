/** Tests meet no proxy of the machine: each one that needs a proxy starts its own. */
import { setProxyVariables } from './proxy_environment';

setProxyVariables({});
