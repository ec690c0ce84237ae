using System;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Security.Cryptography;

namespace LicencePortal
{
    /// <summary>Verifies ES256 signatures (FIPS 186-5, RFC 7518 §3.4).</summary>
    internal static class P256
    {
        static readonly BigInteger P = Hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
        static readonly BigInteger N = Hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
        static readonly BigInteger B = Hex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b");
        static readonly Point G = new Point(
            Hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
            Hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"), BigInteger.One);

        /// <summary>Returns whether a signature (r followed by s) matches. Uses the platform's ECDSA; platforms without
        /// one, such as Mono, compute it here. Only public values are involved, so timing reveals nothing.</summary>
        public static bool IsSigned(byte[] data, byte[] signature, byte[] x, byte[] y)
        {
            if (signature.Length != 64 || x.Length != 32 || y.Length != 32) return false;
            try
            {
                var point = new ECParameters { Curve = ECCurve.NamedCurves.nistP256, Q = new ECPoint { X = x, Y = y } };
                using (var key = ECDsa.Create(point)) return key.VerifyData(data, signature, HashAlgorithmName.SHA256);
            }
            catch (CryptographicException) { return false; }
            catch (NotImplementedException) { return Compute(data, signature, x, y); }
            catch (PlatformNotSupportedException) { return Compute(data, signature, x, y); }
        }

        internal static bool Compute(byte[] data, byte[] signature, byte[] x, byte[] y)
        {
            BigInteger r = Unsigned(signature.Take(32)), s = Unsigned(signature.Skip(32));
            var key = new Point(Unsigned(x), Unsigned(y), BigInteger.One);
            if (r.IsZero || s.IsZero || r >= N || s >= N || key.X >= P || key.Y >= P) return false;
            if (!Mod(key.Y * key.Y - key.X * key.X * key.X + 3 * key.X - B, P).IsZero) return false;
            BigInteger hash;
            using (var sha = SHA256.Create()) hash = Unsigned(sha.ComputeHash(data));
            var inverse = BigInteger.ModPow(s, N - 2, N);
            var sum = Add(Multiply(hash * inverse % N, G), Multiply(r * inverse % N, key));
            if (sum.Z.IsZero) return false;
            var z = BigInteger.ModPow(sum.Z, P - 2, P);
            return Mod(sum.X * z * z, P) % N == r;
        }

        /// <summary>A point in Jacobian coordinates; Z is 0 for the point at infinity.</summary>
        struct Point
        {
            public readonly BigInteger X, Y, Z;
            public Point(BigInteger x, BigInteger y, BigInteger z) { X = x; Y = y; Z = z; }
        }

        static Point Multiply(BigInteger factor, Point point)
        {
            var result = new Point(1, 1, 0);
            for (var bit = 255; bit >= 0; bit--)
            {
                result = Double(result);
                if (!((factor >> bit) & 1).IsZero) result = Add(result, point);
            }
            return result;
        }

        static Point Double(Point a)
        {
            if (a.Z.IsZero) return a;
            BigInteger yy = a.Y * a.Y % P, zz = a.Z * a.Z % P, s = 4 * a.X * yy % P;
            var m = 3 * (a.X - zz) * (a.X + zz) % P;
            var x = Mod(m * m - 2 * s, P);
            return new Point(x, Mod(m * (s - x) - 8 * yy * yy, P), Mod(2 * a.Y * a.Z, P));
        }

        static Point Add(Point a, Point b)
        {
            if (a.Z.IsZero) return b;
            if (b.Z.IsZero) return a;
            BigInteger az = a.Z * a.Z % P, bz = b.Z * b.Z % P, u1 = a.X * bz % P, u2 = b.X * az % P;
            BigInteger s1 = a.Y * b.Z * bz % P, s2 = b.Y * a.Z * az % P;
            if (u1 == u2) return s1 == s2 ? Double(a) : new Point(1, 1, 0);
            BigInteger h = u2 - u1, r = s2 - s1, hh = h * h % P, hhh = h * hh % P, v = u1 * hh % P;
            var x = Mod(r * r - hhh - 2 * v, P);
            return new Point(x, Mod(r * (v - x) - s1 * hhh, P), Mod(a.Z * b.Z * h, P));
        }

        static BigInteger Mod(BigInteger value, BigInteger modulus)
        {
            var rest = value % modulus;
            return rest.Sign < 0 ? rest + modulus : rest;
        }

        static BigInteger Hex(string digits) => BigInteger.Parse("0" + digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);

        static BigInteger Unsigned(System.Collections.Generic.IEnumerable<byte> bigEndian) =>
            new BigInteger(bigEndian.Reverse().Concat(new byte[] { 0 }).ToArray());
    }
}
