using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Text;

namespace LicencePortal
{
    /// <summary>Encrypts with Windows' data protection for the current user (DPAPI). .NET Standard has it only in a package, so
    /// this calls Windows itself. On other systems, protect the folder.</summary>
    internal static class DataProtection
    {
        static readonly byte[] Purpose = Encoding.ASCII.GetBytes("licence-portal-state-1");
        const int NoDialogs = 1;

        internal static bool IsWindows => Environment.OSVersion.Platform == PlatformID.Win32NT;

        public static byte[] Protect(byte[] data) => IsWindows ? Convert(data, true) : data;

        /// <exception cref="Win32Exception">Another user or device encrypted the data.</exception>
        public static byte[] Unprotect(byte[] data) => IsWindows ? Convert(data, false) : data;

        static byte[] Convert(byte[] data, bool isEncrypting)
        {
            GCHandle input = GCHandle.Alloc(data, GCHandleType.Pinned), purpose = GCHandle.Alloc(Purpose, GCHandleType.Pinned);
            var result = new Blob();
            try
            {
                var from = new Blob { Size = data.Length, Data = input.AddrOfPinnedObject() };
                var salt = new Blob { Size = Purpose.Length, Data = purpose.AddrOfPinnedObject() };
                var isDone = isEncrypting
                    ? CryptProtectData(ref from, null, ref salt, IntPtr.Zero, IntPtr.Zero, NoDialogs, ref result)
                    : CryptUnprotectData(ref from, IntPtr.Zero, ref salt, IntPtr.Zero, IntPtr.Zero, NoDialogs, ref result);
                if (!isDone) throw new Win32Exception(Marshal.GetLastWin32Error());
                var bytes = new byte[result.Size];
                Marshal.Copy(result.Data, bytes, 0, result.Size);
                return bytes;
            }
            finally
            {
                input.Free();
                purpose.Free();
                if (result.Data != IntPtr.Zero) LocalFree(result.Data);
            }
        }

        [StructLayout(LayoutKind.Sequential)]
        struct Blob
        {
            public int Size;
            public IntPtr Data;
        }

        [DllImport("crypt32.dll", SetLastError = true, CharSet = CharSet.Unicode)]
        [return: MarshalAs(UnmanagedType.Bool)]
        static extern bool CryptProtectData(ref Blob data, string description, ref Blob purpose, IntPtr reserved, IntPtr prompt, int flags, ref Blob result);

        [DllImport("crypt32.dll", SetLastError = true)]
        [return: MarshalAs(UnmanagedType.Bool)]
        static extern bool CryptUnprotectData(ref Blob data, IntPtr description, ref Blob purpose, IntPtr reserved, IntPtr prompt, int flags, ref Blob result);

        [DllImport("kernel32.dll")]
        static extern IntPtr LocalFree(IntPtr memory);
    }
}
