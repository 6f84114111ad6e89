// Before each test file: resets our modules, because test files share a process, which is much faster.
import { vi } from 'vitest'

vi.resetModules()
