using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace LicencePortal
{
    /// <summary>Serial number of the first built-in disk, and the ID of the Windows installation.</summary>
    internal static class DiskSerial
    {
        const uint QueryProperty = 0x2D1400; // IOCTL_STORAGE_QUERY_PROPERTY needs no access rights.
        const int UsbBus = 7, SerialOffset = 24, BusType = 28;

        public static string Read()
        {
            try { return DataProtection.IsWindows ? ReadFromWindows() : null; }
            catch (Exception) { return null; }
        }

        static string ReadFromWindows()
        {
            using (var disk = CreateFile(@"\\.\PhysicalDrive0", 0, 3, IntPtr.Zero, 3, 0, IntPtr.Zero))
            {
                if (disk.IsInvalid) return null;
                byte[] query = new byte[12], answer = new byte[1024];
                if (!DeviceIoControl(disk, QueryProperty, query, query.Length, answer, answer.Length, out var size, IntPtr.Zero)) return null;
                return ParseDescriptor(answer, size);
            }
        }

        /// <summary>Reads a STORAGE_DEVICE_DESCRIPTOR. Skips USB disks, which move between devices.</summary>
        internal static string ParseDescriptor(byte[] answer, int size)
        {
            if (size < BusType + 4 || BitConverter.ToInt32(answer, BusType) == UsbBus) return null;
            var start = BitConverter.ToInt32(answer, SerialOffset);
            if (start <= 0 || start >= size) return null;
            var end = Array.IndexOf(answer, (byte)0, start);
            return Encoding.ASCII.GetString(answer, start, (end < 0 ? size : end) - start).Trim();
        }

        public static string ReadInstallationId()
        {
            try
            {
                if (!DataProtection.IsWindows) return File.Exists("/etc/machine-id") ? File.ReadAllText("/etc/machine-id").Trim() : Environment.MachineName;
                var text = new StringBuilder(64);
                var size = text.Capacity * 2;
                const uint text64 = 0x10002; // RRF_RT_REG_SZ from the 64-bit view.
                var localMachine = new IntPtr(unchecked((int)0x80000002));
                var error = RegGetValue(localMachine, @"SOFTWARE\Microsoft\Cryptography", "MachineGuid", text64, IntPtr.Zero, text, ref size);
                return error == 0 ? text.ToString() : Environment.MachineName;
            }
            catch (Exception) { return Environment.MachineName; }
        }

        [DllImport("kernel32.dll", SetLastError = true, CharSet = CharSet.Unicode, EntryPoint = "CreateFileW")]
        static extern SafeFileHandle CreateFile(string name, uint access, uint share, IntPtr security, uint mode, uint flags, IntPtr template);

        [DllImport("kernel32.dll", SetLastError = true)]
        [return: MarshalAs(UnmanagedType.Bool)]
        static extern bool DeviceIoControl(SafeFileHandle device, uint code, byte[] input, int inputSize, byte[] output, int outputSize, out int returned, IntPtr overlapped);

        [DllImport("advapi32.dll", CharSet = CharSet.Unicode, EntryPoint = "RegGetValueW")]
        static extern int RegGetValue(IntPtr key, string path, string name, uint flags, IntPtr type, StringBuilder data, ref int size);
    }
}
