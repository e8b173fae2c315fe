export type ProxySettings = ReturnType<typeof readProxySettings>;

/** From the variables that other programs also read. */
export function readProxySettings(env: NodeJS.ProcessEnv) {
  return {
    httpProxy: env['http_proxy'] || env['HTTP_PROXY'] || '',
    httpsProxy: env['https_proxy'] || env['HTTPS_PROXY'] || '',
    noProxy: env['no_proxy'] || env['NO_PROXY'] || '',
  };
}
