import Crypto
import Fixtures
import Foundation
import Testing

@Suite("Checksums")
struct SHA256Tests {
  static let vectors: [(text: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]

  @Test(arguments: vectors)
  func `are those of FIPS 180-4's examples`(text: String, digest: String) throws {
    #expect(SHA256.hexadecimal(SHA256.digest(of: text.utf8)) == digest)
  }

  @Test func `do not depend on how the bytes are cut, empty pieces included`() throws {
    let bytes = [UInt8](repeating: 0x61, count: 1_000_000)
    let hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: 4097) {
      let end = min(start + 4097, bytes.count)
      bytes[start..<end].withUnsafeBytes { hash.update($0) }
      hash.update(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    #expect(
      SHA256.hexadecimal(hash.finish())
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}

@Suite("RSA keys")
struct RSAKeyTests {
  @Test(arguments: [PublishedKey.pem, Keys.pkcs1])
  func `sign as RFC 7515, A.2 does, from either PEM`(pem: String) throws {
    let signed =
      "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
      + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    let expected =
      "cC4hiUPoj9Eetdgtv3hF80EGrhuB//dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh+0Qc/lF5YKt/O8W"
      + "2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB++f/nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkS"
      + "jtQBMHlb1L07Qe7K0GarZRmB/eSN9383LcOLn6/dO++xi12jzDwusC+eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnv"
      + "Wh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN/IoypGlUPQGe77Rw=="
    let key = try #require(RSAKey(pem: pem))
    let signature = try #require(key.signature(of: signed.utf8))
    #expect(Data(signature).base64EncodedString() == expected)
    #expect(key.signature(of: (signed + "A").utf8) != signature)
  }

  @Test(arguments: [
    Keys.of1024Bits, Keys.ofCurve, Keys.encrypted, String(PublishedKey.pem.dropLast(200)), "",
    "hunter2",
    "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
  ])
  func `are refused when short, of another kind, encrypted, cut or no key`(pem: String) throws {
    #expect(RSAKey(pem: pem) == nil)
  }

  @Test func `sign on many threads at once`() async throws {
    let key = try #require(RSAKey(pem: PublishedKey.pem))
    let signatures = await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<16 { group.addTask { key.signature(of: "one".utf8) } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(signatures.count == 1 && signatures.first != .some(nil))
  }
}

/// Keys that open nothing.
private enum Keys {
  /// `PublishedKey` as PKCS #1.
  static let pkcs1 = """
    -----BEGIN RSA PRIVATE KEY-----
    MIIEowIBAAKCAQEAofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd/wWJcyQoTbji9k0
    l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL+yRT+SFd2lZS+pC
    gNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb/7OMg0LOL+bSf63kpaSHSX
    ndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uD
    Zlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxXFvUK+DWNmoudF8NAco9/h9iaGNj8
    q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQIDAQABAoIBABKucaRpzQorw35S
    bEUAVx8dYXUdZOlJcHtiWQ+dC6V8ljxAHj/PLyzTveyI5QO/xkObCyjIL303l2cf
    UhPu2MFaJdjVzqACXuOrLot/eSFvxjvqVidTtAZExqFRJ9mylUVAoLvhowVWmC1O
    n95fZCXxTUtxNEG1Xcc7m0rtzJKs45J+N/V9DP1edYH6USyPSWGp6wuA+KgHRnKK
    Vf9GRx80JQY7nVNkL17eHoTWEwga+lwi0FEoW9Y7lDtWXYmKBWhUE+U8PGxlJf8f
    40493HDw1WRQ/aSLoS4QTp3rn7gYgeHEvfJdkkf0UMhlknlo53M09EFPdadQ4TlU
    bjqKc50CgYEA4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH/5IB3jw3bcxGn6QLvnE
    tfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw/Py5PJdTJNPY8cQn7ouZ2KKDcmnPG
    BY5t7yLc1QlQ5xHdwW1VhvKn+nXqhJTBgIPgtldC+KDV5z+y2XDwGUcCgYEAuQPE
    fgmVtjL0Uyyx88GZFF1fOunH3+7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYs
    p1ZSe7zFYHj7C6ul7TjeLQeZD/YwD66t62wDmpe/HlB+TnBA+njbglfIsRLtXlnD
    zQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdcCgYAHAp9XcCSrn8wVkMVkKdb7
    DOX4IKjzdahm+ctDAJN4O/y7OW5FKebvUjdAIt2GuoTZ71iTG+7F0F+lP88jtjP4
    U4qe7VHoewl4MKOfXZKTe+YCS1XbNvfgwJ3Ltyl1OH9hWvu2yza7q+d5PCsDzqtm
    27kxuvULVeya+TEdAB1ijQKBgQCH/3r6YrVH/uCWGy6bzV1nGNOdjKc9tmkfOJmN
    54dxdixdpozCQ6U4OxZrsj3FcOhHBsqAHvX2uuYjagqvo3cOj1TRqNocX40omfCC
    Mx3bD1yPPf/6TI2XECva/ggqEY2mYzmIiA5LVVmc5nrybr+lssFKneeyxN2Wq93S
    0iJMdQKBgCGHewxzoa1r8ZMD0LETNrToK423K377UCYqXfg5XMclbrjPbEC3YI1Z
    NqMtuhdBJqUnBi6tjKMF+34Xf0CUN8ncuXGO2CAYvO8PdyCixHX52ybaDjy1FtCE
    6yUXjoKNXKvUm7MWGsAYH6f4IegOetN5NvmUMFStCSkh7ixZLkN1
    -----END RSA PRIVATE KEY-----
    """

  static let of1024Bits = """
    -----BEGIN PRIVATE KEY-----
    MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALmGl1SoVusG+2i2
    r3bGP9ugmU3+ITQIyS6Nr+JTZQ1Hm91+DgIzutWNPF+FlYoadc85IJEbNX/CJ57B
    lj+CnKwQNK6nw9u6ffybb/i6g6fDQWCQDQcVk5uMsg7P5qyAgfA51xJqDr1Em3hi
    ICbM4njpG8VckVmJEe7qZxEGbmGJAgMBAAECgYA+yovLblJEp49NqI8Ibx7L0bYx
    THKmbtbQd8nwmvMXpIXfWDubiTCR+IRXfBnZrQz0fsxD8GaR//9y3uhgRG+LxMr1
    WhSiD0lJU59E61v4C6FaLHEksp6g4fOvy5JtqhF0Rs9rkNcL9V6Wy0F+qP/gNCpX
    cnvTirz+LgVVojmYlQJBAOxUfLhWXZSOgxRveci0z8wWB/YkeG0P5M4IECfVE/P0
    rI23wMwEHd854qZyyc1Zsqww96nkCTf8aW4sJ9nzFtMCQQDI95xkjNN5iZSALJD3
    CZuY1jgLlnBCy9p4ZLP7CY9y2/kH8BBe6hntJeQODnNZIrYaQ3sKV6cxppAyDyBw
    aWSzAkA56N4C4Y7exykRidtitgOxM7jRtNAZkWp0nf8vc4QHJG5f76X7mAql125V
    cQ1IF3Gzxe/6Hlmv8Vb4WzOMsYdnAkEAoD3PVd10QdSRtCHU9SWUC6nDxnmNybUB
    3j1txR06ZDtBtjKU2xmO0qkDzrF3B/vFd+uWkAiUJ+LH1yJ4myluQQJAMK6EV1R7
    7sJTWM+LGgTNp5Nqral5XaRFdCRj5yyUu0m5KJLHW4FbilhlUQFWv/J6iB8trq1V
    dh/Uz2hfXCMP0Q==
    -----END PRIVATE KEY-----
    """

  static let ofCurve = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4qUYo7HAxMVZ+rj3
    Ve4l7jwk3oEh/ldOw5E/NYchgT6hRANCAAQ+1UMwdYpSFU5YxQNkTfk3Fmnt9BjM
    k9B2rMmzJmLwlB/p5Y/BWzUMCI8wg8qRYoTME9wxRrcwJmGJgEBkFYsr
    -----END PRIVATE KEY-----
    """

  static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgnMyEatXeztwICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEIy34cWc+nhycjMl+xoqOpUEgZCw
    ts0sVOwBeaGmI8NXGKIpcPUlQBe55hj/BtrA/7wLPJZlcAEr+gWdDXODB9mShECX
    6xhjQxq9PXBwSUGqO4C6hoVgGpMhaCv+2k7rqBW+mZozDRyaRBgAsCnO3g5BXANJ
    mEdPZTyqxlorxvMSVc9hsAYkHiEK6DbcjJo2lgDmUvFy1IiJleCL7TX3/otCb94=
    -----END ENCRYPTED PRIVATE KEY-----
    """
}
