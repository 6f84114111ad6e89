// Resets our modules before each test file, because files share a process, which is much faster.
import { vi } from 'vitest'

vi.resetModules()
