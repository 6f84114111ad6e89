// docs/deploy.md for one machine with SQLite: its commands as they are written, behind nginx with https.
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { expect, test } from 'vitest'
import { openDeployment } from './kit/deployment.ts'
import { putNginx, putProgram } from './kit/machine.ts'
import { findProgram } from './kit/program.ts'

// The run reports that nginx is missing.
test.runIf(findProgram(['nginx']))(
  'one machine with SQLite answers by https, and no start warns',
  async () => {
    const deployment = await openDeployment({})
    const { machine } = deployment
    try {
      putNginx(machine)
      putProgram(machine, 'runuser', 'shift 3; exec "$@"')
      await deployment.run('One machine with SQLite')
      const status = await new Promise((resolve, reject) =>
        get(
          `https://localhost:${machine.port('443')}/`,
          { ca: readFileSync(machine.at('authority.pem')) },
          (answer) => resolve(answer.resume().statusCode),
        ).on('error', reject),
      )
      expect(status).toBe(200)
      expect(deployment.units.output('plimsoll@sqlite')).toContain('is open at')
      expect(deployment.units.output('plimsoll@sqlite')).not.toMatch(/warning/i)
    } finally {
      await deployment.close()
    }
  },
)
