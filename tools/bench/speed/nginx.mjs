// nginx as the service behind everything, and as the proxy to compare with.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOAD, MEASURED, freePort, start } from './process.mjs'

/** About two kilobytes, like an organization's record. */
export const RECORD = JSON.stringify({
  id: 2002,
  name: 'Meridian Shipping',
  plan: 'business',
  members: Array.from({ length: 20 }, (_, nth) => ({
    id: 9000 + nth,
    name: `Person number ${nth}`,
    role: 'member',
    joined_at: '2021-03-04T05:06:07Z',
  })),
})

const configuration = (
  folder,
  name,
  port,
  server,
  http = '',
) => `daemon off; master_process off; pid ${folder}/${name}.pid;
error_log ${folder}/${name}.log;
events { worker_connections 8192; }
http {
  access_log off; keepalive_requests 100000000; keepalive_timeout 3600;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${http}
  server { listen 127.0.0.1:${port} backlog=8192; ${server} }
}
`

async function startNginx(core, folder, name, server, http) {
  const port = await freePort()
  const file = join(folder, `${name}.conf`)
  writeFileSync(file, configuration(folder, name, port, server, http))
  const log = join(folder, `${name}.log`)
  const program = ['nginx', '-p', folder, '-e', log, '-c', file]
  const running = await start(core, program, { url: `http://127.0.0.1:${port}/count`, log })
  return { ...running, url: `http://127.0.0.1:${port}` }
}

/** A record for every GET, a token for every POST, Business limits, reset after 10 s; `sent` counts them. */
export async function startService(folder) {
  const service = await startNginx(
    LOAD,
    folder,
    'service',
    `location = /count { access_log off; stub_status; }
     location / {
       default_type application/json;
       add_header X-RateLimit-Limit 600; add_header X-RateLimit-Remaining 599; add_header X-RateLimit-Reset $reset;
       return 200 '${RECORD}';
     }`,
    'map $msec $reset { "~^(?<tens>[0-9]+)[0-9][.]" "${tens}9"; }',
  )
  return {
    ...service,
    async sent() {
      const [, requests] = /^\s+\d+ \d+ (\d+)/m.exec(await (await fetch(`${service.url}/count`)).text())
      return Number(requests)
    },
  }
}

/** Passes all requests on, with a bearer token. */
export const startProxy = (folder, service) =>
  startNginx(
    MEASURED,
    folder,
    'proxy',
    `location = /count { return 204; }
     location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Authorization "Bearer of-everyone"; }`,
    `upstream service { server ${new URL(service.url).host}; keepalive 128; }`,
  )

/** Serves the files of a folder, with the compressed copies beside them. */
export const startFiles = (folder, root) =>
  startNginx(
    MEASURED,
    folder,
    'files',
    `location = /count { return 204; }
     location / { root ${root}; gzip_static on; }`,
    'types { text/javascript js; } sendfile on; tcp_nopush on;',
  )
